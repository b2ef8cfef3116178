import { ulid } from 'ulid'
import { messageOf } from '../lib/message-of.ts'
import { type OutageLog, SILENT } from '../lib/outage.ts'
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
/** The pause before the gateway tries a store in trouble by a claim of its own: there may be no call with a key for hours. */
const TRIAL_PAUSE_MS = 3_000

/**
 * The Idempotency-Keys as calls use them. A store may hang instead of failing; whatever it does, no call waits for it
 * beyond its own deadline, and only so many calls wait at all.
 */
export class KeyClaims {
  readonly #store: IdempotencyStore
  readonly #outage: OutageLog
  #waiting = 0
  #trouble: string | null = null
  /** Epoch milliseconds of the last claim that worked or failed. */
  #knownAt = 0
  #isTrying = false
  #trial: NodeJS.Timeout | null = null
  #isEnded = false

  constructor(store: IdempotencyStore, outage: OutageLog = SILENT) {
    this.#store = store
    this.#outage = outage
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
      this.#works()
      return claimed
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#waiting--
    }
  }

  /** Whether no other process can have taken over the claim meanwhile. */
  holds(claim: Claim): boolean {
    return this.#store.holds(claim)
  }

  /** Stores the answer. Goes on in the background if that takes longer than the call may. */
  async complete(claim: Claim, answer: Answer, remainingMs: number): Promise<void> {
    await this.#settle(this.#store.complete(claim, answer), remainingMs)
  }

  /** Frees the key, in the same way. */
  async release(claim: Claim, remainingMs: number): Promise<void> {
    await this.#settle(this.#store.release(claim), remainingMs)
  }

  /**
   * The store is in trouble from a claim that failed to the next one that works.
   * @param isDoubtful whether something else suggests that it is in trouble
   */
  health(isDoubtful = false): SharedHealth {
    const message = this.#trouble
    const isOld = Date.now() - this.#knownAt >= TRIAL_PAUSE_MS
    if (isOld && isDoubtful && message === null) void this.#try()
    return { ok: message === null, message }
  }

  /** Ends the trials. Whoever has opened the store closes it. */
  [Symbol.dispose](): void {
    this.#isEnded = true
    if (this.#trial) clearTimeout(this.#trial)
  }

  /** Claims a key that no call can have, and frees it. */
  async #try(): Promise<void> {
    if (this.#isTrying) return
    this.#isTrying = true
    const claim = { caller: '', capability: '', key: ulid(), fingerprint: '', time: Date.now() }
    try {
      await this.claim(claim, Number.POSITIVE_INFINITY)
      await this.release(claim, CLAIM_MS)
    } catch {
      // The failure leads to the next try. A key that stays expires.
    } finally {
      this.#isTrying = false
    }
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
    try {
      await within(settling, ms, `the key is not settled after ${Math.round(ms)} ms`)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #works(): void {
    const wasAway = this.#trouble !== null
    this.#trouble = null
    this.#knownAt = Date.now()
    if (wasAway) this.#outage.onBack()
  }

  #failed(error: unknown): unknown {
    const isNew = this.#trouble === null
    this.#trouble = messageOf(error)
    this.#knownAt = Date.now()
    if (isNew) this.#outage.onAway(error)
    this.#tryLater()
    return error
  }

  #tryLater(): void {
    if (this.#isEnded) return
    this.#trial ??= setTimeout(() => {
      this.#trial = null
      if (this.#trouble !== null) void this.#try()
    }, TRIAL_PAUSE_MS).unref()
  }
}
