import { createHash } from 'node:crypto'
import { isLoopback } from '../lib/loopback.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import { SCOPES } from '../model/scopes.ts'
import type { Key } from './keys.ts'

/** Identifies callers by their gateway keys. */
export interface KeyRing {
  /** Returns the refusal of a request for a host that this gateway does not serve, else null. */
  checkHost(host: string | undefined): GatewayError | null
  /** Returns the caller, or the error to answer with. */
  identify(authorization: string | undefined): Caller | GatewayError
}

const LOCAL: Caller = { name: 'local', operator: true, scopes: SCOPES }

/**
 * With keys, requires a bearer token that is one of them. Without keys, treats everybody on this machine as the caller
 * `local`, and refuses requests for another host: a web page has sent them, by DNS rebinding.
 */
export function createKeyRing(keys: readonly Key[]): KeyRing {
  // A lookup by digest takes the same time however close a guess comes.
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
    checkHost(host) {
      return callers.size > 0 || isLoopback(hostname(host)) ? null : foreignHost(host)
    },
    identify(authorization) {
      if (callers.size === 0) return LOCAL
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
    token === undefined ? 'This gateway requires a key.' : 'This gateway does not know that key.'
  return new GatewayError('AUTH', `${what} Send "Authorization: Bearer <gateway key>".`, {
    source: 'caller',
    status: 401,
  })
}

function foreignHost(host: string | undefined): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `Without gateway keys, only requests from this machine are served, and Host is ${JSON.stringify(host)}. Use 127.0.0.1, or set SIGNALBOX_KEYS.`,
    { source: 'caller' },
  )
}
