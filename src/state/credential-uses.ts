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

/** Whether services accept the credentials that this gateway sends, by identity. */
export class CredentialUses {
  readonly #uses = new BoundedMap<string, CredentialUse>(MOST)

  accept(id: string, grant: Grant | null, now: number): void {
    const before = this.of(id)
    this.#uses.set(id, { ...before, acceptedAt: now, grant: grant ?? before.grant })
  }

  refuse(id: string, refusal: string, now: number): void {
    this.#uses.set(id, { ...this.of(id), refusedAt: now, refusal })
  }

  of(id: string): CredentialUse {
    return this.#uses.get(id) ?? UNUSED
  }
}
