import { BoundedMap } from '../lib/bounded-map.ts'
import type { Grant } from '../model/reply.ts'

/** The last answers of a service to an identity. Times are epoch milliseconds. */
export interface CredentialUse {
  readonly acceptedAt: number | null
  readonly refusedAt: number | null
  /** The message of the refusal. */
  readonly refusal: string | null
  readonly grant: Grant | null
}

const UNUSED: CredentialUse = { acceptedAt: null, refusedAt: null, refusal: null, grant: null }

/** Each credential that callers send is one of its own. */
const MOST = 10_000

/** An entry is made the newest of the map at most this often: V8 copies a Map after every few deletions. */
const RENEW_MS = 1000

interface Entry {
  use: CredentialUse
  /** Epoch milliseconds at which it was made the newest. */
  readonly renewedAt: number
}

/** Whether services accept the credentials that this gateway sends, by identity. */
export class CredentialUses {
  readonly #uses = new BoundedMap<string, Entry>(MOST)

  accept(id: string, grant: Grant | null, now: number): void {
    const before = this.of(id)
    this.#note(id, { ...before, acceptedAt: now, grant: grant ?? before.grant }, now)
  }

  refuse(id: string, refusal: string, now: number): void {
    this.#note(id, { ...this.of(id), refusedAt: now, refusal }, now)
  }

  of(id: string): CredentialUse {
    return this.#uses.get(id)?.use ?? UNUSED
  }

  #note(id: string, use: CredentialUse, now: number): void {
    const entry = this.#uses.get(id)
    if (entry && now - entry.renewedAt < RENEW_MS) entry.use = use
    else this.#uses.set(id, { use, renewedAt: now })
  }
}
