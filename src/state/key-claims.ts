import { messageOf } from '../lib/message-of.ts'
import { within } from '../lib/within.ts'
import type { Answer } from '../model/envelope.ts'
import type { SharedHealth } from '../model/health.ts'
import type { Claim, Claimed, IdempotencyStore } from './idempotency.ts'

/** A store that takes longer to answer a claim counts as unavailable. */
const CLAIM_MS = 3_000
/** The share of its time that a call may spend on its claim: the answer needs the rest. */
const CLAIM_SHARE = 0.9
/** A call that has used up its time still gives the store this long to settle the claim. */
const SETTLE_MS = 100
/** With more claims waiting, the store is overloaded, and the gateway refuses further ones at once. */
const MOST_WAITING = 1_000
/** Only calls show whether the store works again, so a failure is reported for this long at most. */
const REPORTED_MS = 3_000

/**
 * The Idempotency-Keys as calls use them. A store may hang instead of failing; whatever it does, no call waits for it
 * beyond its own deadline, and only so many calls wait at all.
 */
export class KeyClaims {
  readonly #store: IdempotencyStore
  #waiting = 0
  #trouble: { readonly message: string; readonly at: number } | null = null

  constructor(store: IdempotencyStore) {
    this.#store = store
  }

  /**
   * Rejects if the store does not answer in time, or cannot find out whether the key was used.
   * @param remainingMs what is left until the deadline of the call.
   */
  async claim(claim: Claim, remainingMs: number): Promise<Claimed> {
    if (this.#waiting >= MOST_WAITING) throw this.#failed(new Error('too many claims are waiting'))
    this.#waiting++
    try {
      const claimed = await this.#claimIn(claim, Math.min(CLAIM_MS, remainingMs * CLAIM_SHARE))
      this.#trouble = null
      return claimed
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#waiting--
    }
  }

  /** Stores the answer. Goes on in the background if that takes longer than the call may. */
  async complete(claim: Claim, answer: Answer, remainingMs: number): Promise<void> {
    await this.#settle(this.#store.complete(claim, answer), remainingMs)
  }

  /** Frees the key, in the same way. */
  async release(claim: Claim, remainingMs: number): Promise<void> {
    await this.#settle(this.#store.release(claim), remainingMs)
  }

  health(): SharedHealth {
    const { message = null, at = 0 } = this.#trouble ?? {}
    return Date.now() - at < REPORTED_MS ? { ok: false, message } : { ok: true, message: null }
  }

  async close(): Promise<void> {
    await this.#store.close()
  }

  async #claimIn(claim: Claim, ms: number): Promise<Claimed> {
    const claiming = this.#store.claim(claim)
    if (!(claiming instanceof Promise)) return claiming
    let isAwaited = true
    const undone = claiming.then(async claimed => {
      if (!isAwaited) await this.#store.undo(claim, claimed)
    })
    undone.catch(() => {})
    try {
      return await within(claiming, ms, `no answer within ${Math.round(ms)} ms`)
    } finally {
      // A claim that succeeds later belongs to nobody.
      isAwaited = false
    }
  }

  async #settle(settling: void | Promise<void>, remainingMs: number): Promise<void> {
    if (!(settling instanceof Promise)) return
    const ms = Math.max(SETTLE_MS, remainingMs)
    await within(settling, ms, `the key is not settled after ${Math.round(ms)} ms`)
  }

  #failed(error: unknown): unknown {
    this.#trouble = { message: messageOf(error), at: Date.now() }
    return error
  }
}
