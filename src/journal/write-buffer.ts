import { setImmediate as nextTurn } from 'node:timers/promises'
import { Eventual } from '../lib/eventual.ts'
import { messageOf } from '../lib/message-of.ts'
import { NEVER } from '../lib/signal.ts'
import type { JournalHealth } from '../model/health.ts'
import type { Entry, Refusal, WriteBufferOptions } from './write-buffer-options.ts'

/** Bounds how long one transaction blocks the event loop. */
const MAX_BATCH = 256

/** A commit costs several times as much as a record in it, so a transaction waits briefly for announced ones. */
const GATHER_MS = 1
/** A transaction of this size does not wait for more. */
const ENOUGH = 64

/** Callers wait through a failure shorter than this: a checkpoint or another process held the lock. */
const GRACE_MS = 500

/** A write that fails after this long has not been refused: the database hung. */
const HANG_MS = 1_500

/** How long the end of a gateway waits for a database that cannot be written. */
const CLOSING_MS = 3_000

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 500

interface Pending<T> {
  readonly entry: T
  readonly ended: Eventual<void>
  /** A refused one rejects for its caller; without, it is dropped. */
  readonly rejects?: true
}

const DONE = Eventual.of(Promise.resolve())

/**
 * Group commit, for any database. Entries that arrive in one turn of the event loop are written in one
 * transaction, and their callers wait for it. While the database cannot be written, the buffer keeps records
 * without making callers wait, and drops some when it is full; it rejects intents at once.
 */
export class WriteBuffer<T extends Entry> {
  readonly #options: WriteBufferOptions<T>
  readonly #closing = new AbortController()
  #records: Pending<T>[] = []
  #intents: Pending<T>[] = []
  #bytes = 0
  #dropped = 0
  #draining: Promise<void> | null = null
  #announced = 0
  /** Ends the wait for them. */
  #stopGathering = () => {}
  #failingSince: number | null = null
  /** Monotonic milliseconds. */
  #closeBy = Number.POSITIVE_INFINITY
  /** Why callers do not wait now; null while they do. */
  #degraded: string | null = null

  constructor(options: WriteBufferOptions<T>) {
    this.#options = options
  }

  /** Announces an entry, see `Journal.announce`. Call the returned function once, right before it arrives. */
  announce(): () => void {
    this.#announced++
    return () => {
      this.#announced--
    }
  }

  /** Entries that were announced and have not arrived. */
  get announced(): number {
    return this.#announced
  }

  /** Resolves when the entry is written; while the database cannot be written, at once. Never rejects. */
  append(entry: T): Eventual<void> {
    if (this.#closing.signal.aborted && !this.#draining) {
      this.#giveUp([entry])
      return DONE
    }
    const ended = new Eventual<void>()
    this.#records.push({ entry, ended })
    this.#bytes += entry.bytes
    this.#keepBound()
    this.#start()
    return this.#degraded === null ? ended : DONE
  }

  /** Writes the entry before any waiting records. Rejects if it cannot be written. */
  intend(entry: T): Promise<void> {
    return this.#writeFirst({ entry, ended: new Eventual<void>(), rejects: true })
  }

  /**
   * The same for a record of an earlier gateway, but drops one that the database rejects for good: it must not keep those after it from
   * being written.
   */
  restore(entry: T): Promise<void> {
    return this.#writeFirst({ entry, ended: new Eventual<void>() })
  }

  #writeFirst(pending: Pending<T>): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.reject(new Error('the journal is closed'))
    this.#intents.push(pending)
    this.#start()
    return Promise.resolve(pending.ended)
  }

  health(): JournalHealth {
    // The message has no count: of several workers, only one's message is shown, beside the sum of what waits.
    const message = this.#degraded
    return { ok: message === null, message, waiting: this.#records.length, dropped: this.#dropped }
  }

  /** Writes what is left. If it cannot within a few seconds, spills the rest, and counts what is lost. */
  async close(): Promise<void> {
    this.#closeBy = this.#options.clock.monotonic() + CLOSING_MS
    this.#closing.abort()
    await this.#draining
  }

  #start(): void {
    this.#draining ??= this.#drain()
    if (this.#isEnough()) this.#stopGathering()
  }

  async #drain(): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (this.#waiting() > 0) {
      await this.#gather()
      if (await this.#writeSome()) {
        pause = FIRST_PAUSE_MS
      } else if (this.#options.clock.monotonic() >= this.#closeBy) {
        this.#abandon()
      } else {
        const { signal } = this.#closing
        await this.#options.clock.sleep(pause, signal.aborted ? NEVER : signal).catch(() => {})
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
    this.#draining = null
  }

  /** Waits for the next turn of the event loop, and a moment longer while entries are announced. */
  async #gather(): Promise<void> {
    await nextTurn()
    if (this.#isEnough()) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, this.#options.gatherMs ?? GATHER_MS)
      this.#stopGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#stopGathering = () => {}
  }

  #isEnough(): boolean {
    return this.#announced === 0 || this.#waiting() >= ENOUGH || this.#closing.signal.aborted
  }

  #waiting(): number {
    return this.#intents.length + this.#records.length
  }

  /** Writes one transaction: every waiting intent, then the oldest records. False if it failed. */
  async #writeSome(): Promise<boolean> {
    const intents = this.#intents
    const records = this.#records.slice(0, MAX_BATCH)
    this.#intents = []
    this.#records = this.#records.slice(MAX_BATCH)
    const batch = [...intents, ...records]
    const began = this.#options.clock.monotonic()
    try {
      const refusals = await this.#options.write(batch.map(pending => pending.entry))
      this.#settle(intents, records, refusals)
      return true
    } catch (error) {
      this.#intents = [...intents, ...this.#intents]
      this.#records = [...records, ...this.#records]
      this.#noteFailure(error, began)
      return false
    }
  }

  /** Ends the entries last: their callers go on at once, and look at the state of the journal. */
  #settle(
    intents: readonly Pending<T>[],
    records: readonly Pending<T>[],
    refusals: readonly Refusal<T>[],
  ): void {
    const refused = new Map(refusals.map(({ entry, error }) => [entry, error]))
    for (const [, error] of refused) this.#options.onError(error)
    for (const { entry } of records) this.#bytes -= entry.bytes
    // The caller of a refused intent got an error. The caller of a refused record may believe that it was written.
    const rejected = intents.filter(({ entry, rejects }) => rejects && refused.has(entry))
    this.#dropped += refused.size - rejected.length
    this.#noteSuccess()
    for (const { entry, ended } of rejected) ended.fail(refused.get(entry))
    // Only the first end of each counts.
    for (const { ended } of intents) ended.settle()
    for (const { ended } of records) ended.settle()
  }

  #noteSuccess(): void {
    this.#failingSince = null
    // Until the backlog is gone, a new record would have to wait behind all of it.
    if (this.#degraded === null || this.#records.length > 0) return
    this.#degraded = null
    this.#options.onBack?.()
  }

  /** @param began when the write began. A database that hung has been failing since then. */
  #noteFailure(error: unknown, began: number): void {
    const { clock, onError, onAway = onError } = this.#options
    const now = clock.monotonic()
    this.#failingSince ??= now - began >= HANG_MS ? began : now
    const isLong = now - this.#failingSince >= GRACE_MS
    if (!isLong && this.#degraded === null && !this.#closing.signal.aborted) return
    if (this.#degraded === null) onAway(error)
    this.#degraded = `the journal cannot be written: ${messageOf(error)}`
    this.#releaseCallers(error)
  }

  /** Nobody waits any longer: rejects the intents, and keeps the records for later. */
  #releaseCallers(error: unknown): void {
    const intents = this.#intents
    this.#intents = []
    for (const { ended } of intents) ended.fail(error)
    for (const { ended } of this.#records) ended.settle()
  }

  #abandon(): void {
    this.#giveUp(this.#records.map(({ entry }) => entry))
    this.#records = []
    this.#bytes = 0
  }

  #giveUp(left: readonly T[]): void {
    const { spill } = this.#options
    this.#dropped += spill ? spill(left) : left.length
  }

  /** Drops a tenth more than necessary, so that a full buffer is not searched at every append. */
  #keepBound(): void {
    const { maxBytes } = this.#options
    if (this.#bytes <= maxBytes) return
    this.#drop(this.#bytes - maxBytes * 0.9, entry => entry.expendable)
    this.#drop(this.#bytes - maxBytes, () => true)
  }

  #drop(excess: number, isCandidate: (entry: T) => boolean): void {
    let freed = 0
    const dropped: Pending<T>[] = []
    this.#records = this.#records.filter(pending => {
      const { entry } = pending
      if (freed >= excess || !isCandidate(entry)) return true
      freed += entry.bytes
      dropped.push(pending)
      return false
    })
    this.#bytes -= freed
    this.#dropped += dropped.length
    for (const { ended } of dropped) ended.settle()
  }
}
