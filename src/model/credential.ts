import { createHash } from 'node:crypto'
import type { Signal } from '../lib/signal.ts'
import type { ErrorCode } from './errors.ts'

/** The place of a secret in a request. */
export type Scheme =
  | { readonly type: 'header'; readonly name: string; readonly prefix?: string }
  | { readonly type: 'query'; readonly name: string }
  | { readonly type: 'cookie'; readonly name: string }
  | { readonly type: 'bearer' | 'basic' }
  /** Only where upstream.yaml says `${credential}`. */
  | { readonly type: 'placeholder' }

export type Schemes = Readonly<Record<string, Scheme>>

/** The schemes that an operation needs: the alternatives, each a list of schemes that go together. */
export type Needs = readonly (readonly string[])[]

export const NEEDS_NOTHING: Needs = [[]]

/** The secret for one scheme. */
export type SchemeValue = string | { readonly username: string; readonly password: string }

/** The secrets of an identity at one moment: those that one call needs. */
export interface Credential {
  /** The identity. Safe to store, to show and to key state by. */
  readonly id: string
  readonly values: Readonly<Record<string, SchemeValue>>
  /** The value of `${credential}`: the only text, or null when there is none or several. */
  readonly token: string | null
  /** All texts to remove from what is kept or shown. */
  readonly secrets: readonly string[]
}

/** The reason why an identity cannot serve an operation. Names variables and files, never values. */
export interface Lacking {
  readonly message: string
  readonly fix: string
}

/** A principal at an upstream. Its secrets can change at any time; its id does not. */
export interface Identity {
  /**
   * Safe to store, to show and to key state by. One of the gateway's own has a name that outlives its secrets, so
   * that a renewal changes nothing; one that a caller sends has twelve hex digits of a hash.
   */
  readonly id: string
  readonly has: (scheme: string) => boolean
  /**
   * The secrets for the first alternative that it has. Synchronous where nothing needs to be read.
   * @throws {CredentialError} when a source fails, or the signal's reason when time is up.
   */
  open(needs: Needs, signal: Signal): Credential | Promise<Credential>
  /** New secrets after a service has refused these; null when there are no others. */
  renew(refused: Credential, signal: Signal): Promise<Credential | null>
  /** The identity for an account of the service, where each account gives a secret of its own. */
  readonly ofAccount?: (account: string) => Identity
}

/** The state of one source of an identity, for people. */
export interface SourceState {
  /** `default.key`: the identity and its scheme. */
  readonly name: string
  /** Null when it has a value, or may have one. The fix is an instruction without a full stop. */
  readonly lacking: Lacking | null
  /** In words that it has a value: `GITHUB_TOKEN is set`. */
  readonly found: string
  /** Whether it is a file, which costs nothing to try. */
  readonly isFile: boolean
  /** Gets a value, as a call would, and returns what it found out, in words. */
  readonly attempt: (signal: Signal) => Promise<readonly string[]>
}

/** The state of a secret that a service issues. */
export interface Standing {
  /** Epoch milliseconds; null when it is not known, or nothing has been issued. */
  readonly expiresAt: number | null
  /** The rights that came with it, such as `issues:write`; null when they are not known. */
  readonly scopes: readonly string[] | null
  /** The failure of the last attempt to get one; null when that went well. */
  readonly failure: CredentialError | null
  /** How often one has been issued. */
  readonly issued: number
  /** A sentence about something that works, but should be seen to; null when there is nothing. */
  readonly note: string | null
}

/** The present knowledge about an identity of the gateway. */
export interface IdentityStatus {
  readonly id: string
  readonly lacking: Lacking | null
  /** Null when the secret is not one that a service issues. */
  readonly standing: Standing | null
}

/** The identities that an upstream knows. */
export interface Credentials {
  /** Ids of the gateway's own identities, the default one first. */
  readonly ids: readonly string[]
  /** Whether callers may send a secret of their own. */
  readonly passthrough: boolean
  /**
   * The gateway's own identity of this name; null when it has no secret at all.
   * @param name null: the default one
   */
  choose(name: string | null): Identity | null
  /** The identity of a secret that a caller sends. */
  ofCaller(token: string): Identity
  /** Null when the identity has the schemes of one alternative. */
  lacking(identity: Identity | null, needs: Needs): Lacking | null
  sources(): readonly SourceState[]
  /** The gateway's own identities, with those for accounts that calls have named. */
  statuses(): readonly IdentityStatus[]
  /** Whether the id is one of the gateway's own identities. */
  owns(id: string): boolean
  /** All values of all sources that are or were in use. */
  secrets(): readonly string[]
  close(): void
}

/** The codes of a source that fails: AUTH where only a person can mend it, else as the token endpoint failed. */
export type CredentialFault = Extract<
  ErrorCode,
  'AUTH' | 'NETWORK' | 'TIMEOUT' | 'SERVER' | 'RATE_LIMIT'
>

/** A source of secrets failed. The message is for callers and holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  readonly code: CredentialFault
  readonly retryAfterMs: number | null

  constructor(code: CredentialFault, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** The id of one of the gateway's own identities. */
export function ownId(upstream: string, name: string): string {
  return `${upstream}:${name}`
}

/** The name in such an id. */
export function nameIn(own: string): string {
  return own.slice(own.indexOf(':') + 1)
}

/** The id of one of the gateway's own identities for an account. GitHub ignores the case of logins. */
export function accountId(own: string, account: string): string {
  return `${own}@${account.toLowerCase()}`
}

/** The id of an identity that a caller sends: each token is one of its own. */
export function callersId(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 12)
}

export function createCredential(
  id: string,
  values: Credential['values'],
  secrets: readonly string[],
): Credential {
  const all = Object.values(values)
  const [only] = all
  return { id, values, token: all.length === 1 && typeof only === 'string' ? only : null, secrets }
}

/** The parameters of `Authorization: Basic`. */
export function basicParameters({ username, password }: Exclude<SchemeValue, string>): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

/** The texts of a value that nobody may see. */
export function secretsIn(value: SchemeValue): readonly string[] {
  return typeof value === 'string' ? [value] : [value.password, basicParameters(value)]
}
