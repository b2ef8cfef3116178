import { readFileSync } from 'node:fs'
import { openKeys } from '../access/open-keys.ts'
import type { Settings } from '../gateway/config.ts'
import { isObject } from '../lib/is-object.ts'
import { messageOf } from '../lib/message-of.ts'
import { SettingsError } from '../model/settings-error.ts'
import { readSettings } from './options.ts'

/** Options of the commands that ask a running gateway. */
export interface GatewayOptions {
  readonly config?: string
  readonly url?: string
  readonly key?: string
  readonly keyFile?: string
}

/** An answer of the gateway, with its status. `data` is null for a failure. */
export interface GatewayAnswer {
  readonly status: number
  readonly data: unknown
  readonly text: string
  /** The code and message of a failure. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A connection to a running gateway, with the secret of a key. */
export interface GatewayClient {
  readonly url: string
  get(path: string): Promise<GatewayAnswer>
  post(path: string, body: object): Promise<GatewayAnswer>
}

/** The gateway does not answer, or refuses. */
export class GatewayUnreachable extends Error {
  override readonly name = 'GatewayUnreachable'
}

const TIMEOUT_MS = 10_000

/**
 * @throws {SettingsError} if nothing says where the gateway is, or which secret to send
 */
export function connectGateway(options: GatewayOptions): GatewayClient {
  const settings = readSettings(process.env, options)
  const url = (options.url ?? addressOf(settings)).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SettingsError(`--url ${url} is no address: write http://HOST:PORT.`)
  }
  const secret = secretOf(settings, options)
  const headers = secret === null ? {} : { authorization: `Bearer ${secret}` }
  const ask = async (path: string, init: RequestInit): Promise<GatewayAnswer> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`${url}${path}`, { ...init, signal, redirect: 'manual' }).catch(
      error => {
        throw new GatewayUnreachable(`no gateway answers at ${url}: ${reasonOf(error)}`)
      },
    )
    return readAnswer(response.status, await response.text())
  }
  return {
    url,
    get: path => ask(path, { headers }),
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

function addressOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (port === 0) {
    throw new SettingsError('PORT is 0, so the address of the gateway is not known: give --url.')
  }
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Sends a secret of the settings to another address only if the key is named. */
function secretOf(
  { keys }: Pick<Settings, 'keys'>,
  { url, key, keyFile }: GatewayOptions,
): string | null {
  if (keyFile !== undefined) return readSecret(keyFile)
  const open = openKeys(keys)
  if (key === undefined) {
    if (url !== undefined || open.length === 0) return null
    const usable = open.find(({ caller, secret }) => caller.operator && secret !== null)
    if (usable) return usable.secret
    throw new SettingsError(
      'the settings have no operator key with its secret: give --key NAME or --key-file FILE.',
    )
  }
  const named = open.find(({ caller }) => caller.name === key)
  if (named?.secret) return named.secret
  const names = open.map(({ caller }) => caller.name).join(', ') || 'none'
  throw new SettingsError(
    named
      ? `the settings do not have the secret of the key ${key}: give --key-file FILE.`
      : `--key ${JSON.stringify(key)} is not among the gateway keys: ${names}.`,
  )
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(`--key-file ${file} cannot be read (${code}).`)
  }
}

function readAnswer(status: number, text: string): GatewayAnswer {
  const body = parse(text)
  const envelope = isObject(body) ? body : {}
  const error = isObject(envelope.error) ? envelope.error : {}
  const { code = status, message = 'this is no Signalbox gateway' } = error
  return {
    status,
    text,
    data: envelope.data ?? null,
    error:
      status < 400
        ? null
        : {
            code: `${code as string}`,
            message: `${message as string}`,
          },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The cause of a failed fetch says more than its message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (isObject(cause) && typeof cause.code === 'string') return cause.code
  return messageOf(cause ?? error)
}
