import { createHash } from 'node:crypto'
import { isLoopback } from '../lib/loopback.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import { SCOPES } from '../model/scopes.ts'
import type { Key } from './keys.ts'

/** Tells who presents a gateway key. */
export interface KeyRing {
  /** The caller, or the error to answer with. */
  identify(authorization: string | undefined, host: string | undefined): Caller | GatewayError
}

const LOCAL: Caller = { name: 'local', operator: true, scopes: SCOPES }

/**
 * With keys, a bearer token must be one of them. Without, everybody on this machine is the caller
 * `local`; a request that names another host was sent there by a web page, and is refused.
 */
export function createKeyRing(keys: readonly Key[]): KeyRing {
  // Looked up by digest: finding a key takes the same time whether or not a guess comes close.
  const callers = new Map<string, Caller>(
    keys.map(({ name, secret, operator, scopes, profile }) => [
      digest(secret),
      {
        name,
        operator: operator ?? false,
        ...(scopes ? { scopes } : {}),
        ...(profile ? { profile } : {}),
      },
    ]),
  )
  return {
    identify(authorization, host) {
      if (callers.size === 0) return isLoopback(hostname(host)) ? LOCAL : foreignHost(host)
      const [, token] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? []
      return (token === undefined ? undefined : callers.get(digest(token))) ?? unauthorized(token)
    },
  }
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}

function hostname(host: string | undefined): string {
  return (host ?? 'localhost').replace(/:\d+$/, '')
}

function unauthorized(token: string | undefined): GatewayError {
  const what =
    token === undefined ? 'This gateway needs a key.' : 'This gateway does not know that key.'
  return new GatewayError('AUTH', `${what} Send "Authorization: Bearer <gateway key>".`, {
    source: 'caller',
    status: 401,
  })
}

function foreignHost(host: string | undefined): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `Without gateway keys only this machine is served, and Host is ${JSON.stringify(host)}. Use 127.0.0.1, or set SIGNALBOX_KEYS.`,
    { source: 'caller' },
  )
}
