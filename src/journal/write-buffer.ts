import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import { messageOf } from '../lib/message-of.ts'
import type { JournalHealth } from '../model/health.ts'

/** One thing to write. */
export interface Entry {
  /** About what it takes in memory. */
  readonly bytes: number
  /** Given up before others when the buffer is full. */
  readonly expendable: boolean
}

/** An entry that this database will never take, e.g. because a value has the wrong type. */
export interface Refusal<T> {
  readonly entry: T
  readonly error: unknown
}

export interface WriteBufferOptions<T> {
  readonly clock: Clock
  readonly maxBytes: number
  /** Writes the batch in one transaction: all of it, save the entries it returns, or throws. */
  readonly write: (batch: readonly T[]) => readonly Refusal<T>[] | Promise<readonly Refusal<T>[]>
  /** Told once when writing begins to fail, and of each refusal. */
  readonly onError: (error: unknown) => void
  /** How long the first of a transaction waits for others that are expected, in milliseconds. @default 1 */
  readonly gatherMs?: number
}

/** Bounds how long one transaction holds up the event loop. */
const MAX_BATCH = 256

/** A commit costs several times what a record in it does, so a few wait a moment for those about to come. */
const GATHER_MS = 1
const ENOUGH = 64

/** A failure shorter than this only makes callers wait: a checkpoint had the lock, or another process. */
const GRACE_MS = 500

const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 500

interface Pending<T> {
  readonly entry: T
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit, for any database. What arrives in one turn of the event loop is written in one
 * transaction, and its callers wait for that. While the database cannot be written, records stay here,
 * nobody waits for them, and the bound is kept by dropping; intents are refused at once.
 */
export class WriteBuffer<T extends Entry> {
  readonly #options: WriteBufferOptions<T>
  readonly #closing = new AbortController()
  #records: Pending<T>[] = []
  #intents: Pending<T>[] = []
  #bytes = 0
  #dropped = 0
  #draining: Promise<void> | null = null
  /** Entries that will come before long. */
  #expected = 0
  /** Ends the wait for them. */
  #enough = () => {}
  #failingSince: number | null = null
  /** Why callers do not wait at present; null while they do. */
  #degraded: string | null = null

  constructor(options: WriteBufferOptions<T>) {
    this.#options = options
  }

  /** Tells that an entry will come; the returned function is to be called just before it does. */
  expect(): () => void {
    this.#expected++
    return () => {
      this.#expected--
    }
  }

  /** Resolves when the entry is written, or when that has to wait for the database. Never rejects. */
  append(entry: T): Promise<void> {
    if (this.#closing.signal.aborted) {
      this.#dropped++
      return Promise.resolve()
    }
    const written = new Promise<void>((resolve, reject) => {
      this.#records.push({ entry, resolve, reject })
    })
    this.#bytes += entry.bytes
    this.#keepBound()
    this.#start()
    return this.#degraded === null ? written : Promise.resolve()
  }

  /** Resolves when the entry is written, ahead of waiting records; rejects when it could not be. */
  intend(entry: T): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.reject(new Error('the journal is closed'))
    const written = new Promise<void>((resolve, reject) => {
      this.#intents.push({ entry, resolve, reject })
    })
    this.#start()
    return written
  }

  health(): JournalHealth {
    const waiting = this.#records.length
    const message = this.#degraded && `${this.#degraded}; records waiting: ${waiting}`
    return { ok: message === null, message, waiting, dropped: this.#dropped }
  }

  /** Writes what is left. One failure ends it: what cannot be written by then is dropped and counted. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#draining
  }

  #start(): void {
    this.#draining ??= this.#drain()
    if (this.#isEnough()) this.#enough()
  }

  async #drain(): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (this.#waiting() > 0) {
      await this.#gather()
      if (await this.#writeSome()) {
        pause = FIRST_PAUSE_MS
      } else if (this.#closing.signal.aborted) {
        this.#abandon()
      } else {
        await this.#options.clock.sleep(pause, this.#closing.signal).catch(() => {})
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
    this.#draining = null
  }

  /** Waits a turn of the event loop, and a moment more while others are expected. */
  async #gather(): Promise<void> {
    await nextTurn()
    if (this.#isEnough()) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, this.#options.gatherMs ?? GATHER_MS)
      this.#enough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#enough = () => {}
  }

  #isEnough(): boolean {
    return this.#expected === 0 || this.#waiting() >= ENOUGH || this.#closing.signal.aborted
  }

  #waiting(): number {
    return this.#intents.length + this.#records.length
  }

  /** One transaction: every waiting intent, then the oldest records. False when it failed. */
  async #writeSome(): Promise<boolean> {
    const intents = this.#intents
    const records = this.#records.slice(0, MAX_BATCH)
    this.#intents = []
    this.#records = this.#records.slice(MAX_BATCH)
    const batch = [...intents, ...records]
    try {
      const refusals = await this.#options.write(batch.map(pending => pending.entry))
      this.#settle(intents, records, refusals)
      return true
    } catch (error) {
      this.#intents = [...intents, ...this.#intents]
      this.#records = [...records, ...this.#records]
      this.#failed(error)
      return false
    }
  }

  #settle(
    intents: readonly Pending<T>[],
    records: readonly Pending<T>[],
    refusals: readonly Refusal<T>[],
  ): void {
    const refused = new Map(refusals.map(({ entry, error }) => [entry, error]))
    for (const [, error] of refused) this.#options.onError(error)
    for (const { entry, resolve, reject } of intents) {
      if (refused.has(entry)) reject(refused.get(entry))
      else resolve()
    }
    for (const { entry, resolve } of records) {
      this.#bytes -= entry.bytes
      resolve()
    }
    // An intent is refused to its face. What else is refused may have been confirmed before.
    this.#dropped += refused.size - intents.filter(({ entry }) => refused.has(entry)).length
    this.#failingSince = null
    // Not before the backlog is gone: until then a new record would wait behind all of it.
    if (this.#records.length === 0) this.#degraded = null
  }

  #failed(error: unknown): void {
    const { clock, onError } = this.#options
    const now = clock.monotonic()
    this.#failingSince ??= now
    const lasting = now - this.#failingSince >= GRACE_MS
    if (!lasting && this.#degraded === null && !this.#closing.signal.aborted) return
    if (this.#degraded === null) onError(error)
    this.#degraded = `the journal cannot be written: ${messageOf(error)}`
    this.#release(error)
  }

  /** Lets go of everybody who waits: intents were not written, records will be later. */
  #release(error: unknown): void {
    for (const { reject } of this.#intents) reject(error)
    this.#intents = []
    for (const { resolve } of this.#records) resolve()
  }

  #abandon(): void {
    this.#dropped += this.#records.length
    this.#records = []
    this.#bytes = 0
  }

  /** Frees a tenth beyond what is needed, so that a full buffer is not searched at every append. */
  #keepBound(): void {
    const { maxBytes } = this.#options
    if (this.#bytes <= maxBytes) return
    this.#drop(this.#bytes - maxBytes * 0.9, entry => entry.expendable)
    this.#drop(this.#bytes - maxBytes, () => true)
  }

  #drop(excess: number, may: (entry: T) => boolean): void {
    let freed = 0
    this.#records = this.#records.filter(({ entry, resolve }) => {
      if (freed >= excess || !may(entry)) return true
      freed += entry.bytes
      this.#dropped++
      resolve()
      return false
    })
    this.#bytes -= freed
  }
}
