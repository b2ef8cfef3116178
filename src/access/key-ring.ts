import { Listeners } from '../lib/listeners.ts'
import { isLoopback } from '../lib/loopback.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import { SCOPES } from '../model/scopes.ts'
import { AccessError } from './access-error.ts'
import { identifyByToken, type OpenIssuer } from './issuers.ts'
import { digestOf, type OpenKey } from './open-keys.ts'
import { isReserved, LOCAL_CALLER } from './reserved-names.ts'

type Identified = Caller | GatewayError

/** Identifies callers by their gateway keys, or by the tokens of identity providers. */
export interface KeyRing {
  /** Whether callers need a key or a token. Stays true when the last key is removed: that must open nothing. */
  readonly isLocked: boolean
  /** Returns the refusal of a request for a host that this gateway does not serve, else null. */
  checkHost(host: string | undefined): GatewayError | null
  readonly issuers: readonly OpenIssuer[]
  /** Returns the caller, or the error to answer with. Keys are looked up at once. */
  identify(authorization: string | undefined): Identified | Promise<Identified>
  /** From now on, only these keys and the tokens of these issuers are good. */
  replace(keys: readonly OpenKey[], issuers?: readonly OpenIssuer[]): void
  /** Calls the listener after each replacement. @returns a function that ends it */
  onReplace(listener: () => void): () => void
  /** Secrets of the keys that the ring knows, to be kept out of logs and the journal. */
  secrets(): readonly string[]
}

const LOCAL: Caller = { name: LOCAL_CALLER, operator: true, scopes: SCOPES }

export interface KeyRingOptions {
  /** @default none */
  readonly issuers?: readonly OpenIssuer[]
  readonly now?: () => number
}

/**
 * With keys or issuers, requires a bearer token that is one of theirs. Without, treats everybody on this machine as the caller
 * `local`, and refuses requests for another host: a web page has sent them, by DNS rebinding.
 */
export function createKeyRing(
  keys: readonly OpenKey[],
  { issuers: first = [], now = Date.now }: KeyRingOptions = {},
): KeyRing {
  let issuers = first
  let isLocked = keys.length + issuers.length > 0
  let byDigest = indexOf(keys)
  const known = new Set(secretsOf(keys))
  // Secrets are only added. A new list after each change, so that others may keep it.
  let listed: readonly string[] = []
  const listeners = new Listeners()
  const checkLocalHost = createHostCheck()
  return {
    get isLocked() {
      return isLocked
    },
    get issuers() {
      return issuers
    },
    checkHost: host => (isLocked ? null : checkLocalHost(host)),
    identify(authorization) {
      if (!isLocked) return LOCAL
      const [, token] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? []
      if (token === undefined) return missing(issuers)
      // A lookup by digest takes the same time however close a guess comes.
      const key = byDigest.get(digestOf(token))
      if (key) return identifyByKey(token, key, { now, known })
      return issuers.length === 0 ? unknownKey() : identifyStranger(token, issuers, byDigest)
    },
    replace(next, nextIssuers = []) {
      issuers = nextIssuers
      isLocked ||= next.length + issuers.length > 0
      byDigest = indexOf(next)
      for (const secret of secretsOf(next)) known.add(secret)
      listeners.call()
    },
    onReplace: listeners.add,
    secrets: () => (listed.length === known.size ? listed : (listed = [...known])),
  }
}

/** Nearly all requests have the same Host, so the last one that was this machine is not looked at again. */
function createHostCheck(): (host: string | undefined) => GatewayError | null {
  let own: string | undefined
  return host => {
    if (host !== undefined && host === own) return null
    if (!isLoopback(hostname(host))) return foreignHost(host)
    own = host
    return null
  }
}

function identifyByKey(
  token: string,
  key: OpenKey,
  { now, known }: { readonly now: () => number; readonly known: Set<string> },
): Identified {
  if (key.expires !== null && key.expires <= now()) return expired(key)
  // The settings may hold only the digest, and a service may echo the secret.
  if (key.secret === null) known.add(token)
  return key.caller
}

async function identifyStranger(
  token: string,
  issuers: readonly OpenIssuer[],
  keys: ReadonlyMap<string, OpenKey>,
): Promise<Identified> {
  const found = (await identifyByToken(issuers, token)) ?? unknownKey()
  if (found instanceof GatewayError) return found
  const { name } = found
  const isOfKey = keys.values().some(({ caller }) => caller.name === name)
  return isOfKey || isReserved(name) ? takenName(found) : found
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

function missing(issuers: readonly OpenIssuer[]): GatewayError {
  const providers = issuers.map(({ rules }) => rules.issuer).join(' or ')
  const needs =
    providers === ''
      ? 'This gateway requires a key. Send "Authorization: Bearer <gateway key>".'
      : `This gateway requires a key, or a token of ${providers}. Send it as "Authorization: Bearer …".`
  return new GatewayError('AUTH', needs, { source: 'caller', status: 401 })
}

function unknownKey(): AccessError {
  return unauthorized('This gateway does not know that key.')
}

function unauthorized(what: string, details: Readonly<Record<string, string>> = {}): AccessError {
  const message = `${what} Send "Authorization: Bearer <gateway key>".`
  return new AccessError('invalid_token', message, { details })
}

/** A person who can choose a name could otherwise read the requests of the key. */
function takenName({ name }: Caller): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `The token is good, but its caller would have the name ${JSON.stringify(name)}, which a gateway key or somebody else has. The operator can set a prefix for the names of its issuer.`,
    { source: 'caller' },
  )
}

function expired({ caller, expires }: OpenKey): AccessError {
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
