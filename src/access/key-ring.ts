import { isLoopback } from '../lib/loopback.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import { SCOPES } from '../model/scopes.ts'
import { digestOf, type OpenKey } from './open-keys.ts'

/** Identifies callers by their gateway keys. */
export interface KeyRing {
  /** Whether callers need a key. Stays true when the last key is removed: that must open nothing. */
  readonly isLocked: boolean
  /** Returns the refusal of a request for a host that this gateway does not serve, else null. */
  checkHost(host: string | undefined): GatewayError | null
  /** Returns the caller, or the error to answer with. */
  identify(authorization: string | undefined): Caller | GatewayError
  /** From now on, only these keys are good. */
  replace(keys: readonly OpenKey[]): void
  /** Secrets of the keys that the ring knows, to be kept out of logs and the journal. */
  secrets(): readonly string[]
}

const LOCAL: Caller = { name: 'local', operator: true, scopes: SCOPES }

/**
 * With keys, requires a bearer token that is one of them. Without keys, treats everybody on this machine as the caller
 * `local`, and refuses requests for another host: a web page has sent them, by DNS rebinding.
 */
export function createKeyRing(keys: readonly OpenKey[], now: () => number = Date.now): KeyRing {
  let isLocked = keys.length > 0
  let byDigest = indexOf(keys)
  const known = new Set(secretsOf(keys))
  return {
    get isLocked() {
      return isLocked
    },
    checkHost(host) {
      return isLocked || isLoopback(hostname(host)) ? null : foreignHost(host)
    },
    identify(authorization) {
      if (!isLocked) return LOCAL
      const [, token] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? []
      if (token === undefined) return unauthorized('This gateway requires a key.')
      // A lookup by digest takes the same time however close a guess comes.
      const key = byDigest.get(digestOf(token))
      if (!key) return unauthorized('This gateway does not know that key.')
      if (key.expires !== null && key.expires <= now()) return expired(key)
      // The settings may hold only the digest, and a service may echo the secret.
      if (key.secret === null) known.add(token)
      return key.caller
    },
    replace(next) {
      isLocked ||= next.length > 0
      byDigest = indexOf(next)
      for (const secret of secretsOf(next)) known.add(secret)
    },
    secrets: () => [...known],
  }
}

function indexOf(keys: readonly OpenKey[]): ReadonlyMap<string, OpenKey> {
  return new Map(keys.map(key => [key.digest, key]))
}

function secretsOf(keys: readonly OpenKey[]): readonly string[] {
  return keys.flatMap(({ secret }) => secret ?? [])
}

function hostname(host: string | undefined): string {
  return (host ?? 'localhost').replace(/:\d+$/, '')
}

function unauthorized(what: string, details: Readonly<Record<string, string>> = {}): GatewayError {
  return new GatewayError('AUTH', `${what} Send "Authorization: Bearer <gateway key>".`, {
    source: 'caller',
    status: 401,
    details,
  })
}

function expired({ caller, expires }: OpenKey): GatewayError {
  const since = new Date(expires ?? 0).toISOString()
  return unauthorized(
    `The gateway key "${caller.name}" expired at ${since}. The operator can issue another.`,
    { key: caller.name },
  )
}

function foreignHost(host: string | undefined): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `Without gateway keys, only requests from this machine are served, and Host is ${JSON.stringify(host)}. Use 127.0.0.1, or set SIGNALBOX_KEYS.`,
    { source: 'caller' },
  )
}
