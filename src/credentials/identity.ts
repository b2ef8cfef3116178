import { BoundedMap } from '../lib/bounded-map.ts'
import type { Signal } from '../lib/signal.ts'
import {
  accountId,
  type Credential,
  CredentialError,
  createCredential,
  type Identity,
  type IdentityStatus,
  type Needs,
  type SchemeValue,
  secretsIn,
} from '../model/credential.ts'
import type { KnownSecrets } from './known-secrets.ts'
import type { Remember, Source } from './source.ts'

/** The sources of one scheme: of its text, or of the name and password of `basic`. */
export type SchemeSources =
  | { readonly text: Source }
  | { readonly username: Source; readonly password: Source; readonly remember: Remember }

export type SourcesByScheme = ReadonlyMap<string, SchemeSources>

/** Identities for accounts that are kept. Callers name the accounts. */
const MOST_ACCOUNTS = 1000

/** One of the gateway's own identities. */
export class OwnIdentity implements Identity {
  readonly id: string
  readonly #sources: SourcesByScheme
  readonly #known: KnownSecrets
  /** The credential of last time for each set of needs, as long as its values stay the same. */
  readonly #last = new WeakMap<Needs, Credential>()
  readonly #accounts = new BoundedMap<string, OwnIdentity>(MOST_ACCOUNTS)
  /** Absent where all accounts share one secret. */
  readonly ofAccount?: (account: string) => Identity

  constructor(id: string, sources: SourcesByScheme, known: KnownSecrets) {
    this.id = id
    this.#sources = sources
    this.#known = known
    const all = [...sources.values()].flatMap(partsOf)
    if (all.some(([, { ofAccount }]) => ofAccount)) this.ofAccount = name => this.#ofAccount(name)
  }

  has = (scheme: string): boolean => {
    const sources = this.#sources.get(scheme)
    return sources !== undefined && partsOf(sources).every(([, { lacking }]) => lacking === null)
  }

  open(needs: Needs, signal: Signal): Credential | Promise<Credential> {
    try {
      const opened = this.#open(needs, signal)
      return opened instanceof Promise ? opened.catch(error => this.#fail(error)) : opened
    } catch (error) {
      return this.#fail(error)
    }
  }

  async renew(refused: Credential, signal: Signal): Promise<Credential | null> {
    return await this.#renew(refused, signal).catch(error => this.#fail(error))
  }

  /** Whether an id is this identity's, or that of one of its accounts. */
  covers(id: string): boolean {
    return isOf(id, this.id)
  }

  /** One entry, or one for each account that calls have named. */
  statuses(): readonly IdentityStatus[] {
    const own = this.#status()
    const ofAccounts = [...this.#accounts.values()].map(one => one.#status())
    const isUsed = (own.standing?.issued ?? 0) > 0 || own.standing?.failure
    return ofAccounts.length > 0 && !isUsed ? ofAccounts : [own, ...ofAccounts]
  }

  #status(): IdentityStatus {
    const parts = [...this.#sources.values()].flatMap(partsOf).map(([, source]) => source)
    return {
      id: this.id,
      lacking: parts.map(({ lacking }) => lacking).find(lacking => lacking !== null) ?? null,
      standing: parts.flatMap(source => source.standing?.() ?? [])[0] ?? null,
    }
  }

  /** GitHub ignores the case of logins, so one account is one identity. */
  #ofAccount(name: string): Identity {
    const account = name.toLowerCase()
    const id = accountId(this.id, account)
    const known = this.#accounts.get(account)
    const identity = known ?? new OwnIdentity(id, forAccount(this.#sources, account), this.#known)
    this.#accounts.set(account, identity)
    return identity
  }

  /** Several credentials may read alike sources: say which one fails. */
  #fail(error: unknown): never {
    if (!(error instanceof CredentialError)) throw error
    const { code, message, retryAfterMs } = error
    throw new CredentialError(code, `The credential ${this.id} fails: ${message}`, retryAfterMs)
  }

  #open(needs: Needs, signal: Signal): Credential | Promise<Credential> {
    const schemes = needs.find(names => names.every(this.has)) ?? []
    const values = schemes.map(scheme => this.#valueOf(scheme, signal))
    const waits = values.some(value => value instanceof Promise)
    if (!waits) return this.#credentialOf(needs, schemes, values as SchemeValue[])
    const waiting = values.map(value => Promise.resolve(value))
    return Promise.all(waiting).then(all => this.#credentialOf(needs, schemes, all))
  }

  async #renew(refused: Credential, signal: Signal): Promise<Credential | null> {
    const values: Record<string, SchemeValue> = {}
    let isNew = false
    for (const [scheme, value] of Object.entries(refused.values)) {
      const renewed = await this.#renewed(scheme, value, signal)
      values[scheme] = renewed ?? value
      isNew ||= renewed !== null
    }
    return isNew ? this.#create(values) : null
  }

  #valueOf(scheme: string, signal: Signal): SchemeValue | Promise<SchemeValue> {
    const sources = this.#sources.get(scheme) as SchemeSources
    if ('text' in sources) return sources.text.get(signal)
    const { username, password } = sources
    const name = username.get(signal)
    const word = password.get(signal)
    if (typeof name === 'string' && typeof word === 'string') return this.#pair(scheme, name, word)
    const pair = [Promise.resolve(name), Promise.resolve(word)] as const
    return Promise.all(pair).then(([user, pass]) => this.#pair(scheme, user, pass))
  }

  #pair(scheme: string, username: string, password: string): SchemeValue {
    if (!username.includes(':')) return { username, password }
    const message = `The user name of ${this.id}.${scheme} has a colon, which ends a user name of basic.`
    throw new CredentialError('AUTH', message)
  }

  async #renewed(scheme: string, value: SchemeValue, signal: Signal): Promise<SchemeValue | null> {
    const sources = this.#sources.get(scheme) as SchemeSources
    if ('text' in sources) return await sources.text.renew(value as string, signal)
    const { username, password } = value as Exclude<SchemeValue, string>
    const name = await sources.username.renew(username, signal)
    const word = await sources.password.renew(password, signal)
    if (name === null && word === null) return null
    return { username: name ?? username, password: word ?? password }
  }

  #credentialOf(
    needs: Needs,
    schemes: readonly string[],
    values: readonly SchemeValue[],
  ): Credential {
    const last = this.#last.get(needs)
    if (last && schemes.every((scheme, index) => isSame(last.values[scheme], values[index]))) {
      return last
    }
    const credential = this.#create(
      Object.fromEntries(schemes.map((scheme, index) => [scheme, values[index] as SchemeValue])),
    )
    this.#last.set(needs, credential)
    return credential
  }

  #create(values: Credential['values']): Credential {
    for (const [scheme, value] of Object.entries(values)) {
      const sources = this.#sources.get(scheme)
      if (sources && 'remember' in sources) secretsIn(value).forEach(sources.remember)
    }
    return createCredential(this.id, values, this.#known.all())
  }
}

/** Whether an id is that of an own identity, or of one of its accounts. */
export function isOf(id: string, own: string): boolean {
  return id === own || id.startsWith(accountId(own, ''))
}

function forAccount(sources: SourcesByScheme, account: string): SourcesByScheme {
  const entries = [...sources].map(([scheme, own]) => {
    const text = 'text' in own ? own.text.ofAccount?.(account) : undefined
    return [scheme, text === undefined ? own : { text }] as const
  })
  return new Map(entries)
}

/** The sources of a scheme with the names of their parts; the only one has none. */
export function partsOf(sources: SchemeSources): readonly (readonly [string, Source])[] {
  if ('text' in sources) return [['', sources.text]]
  return [
    ['.username', sources.username],
    ['.password', sources.password],
  ]
}

function isSame(one: SchemeValue | undefined, other: SchemeValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return one.username === other.username && one.password === other.password
}
