import { type OutageLog, OutageWatch } from '../lib/outage.ts'
import { endOf } from '../lib/within.ts'
import type { AuditHead, AuditRecord, Decision } from '../model/audit.ts'
import { GATEWAY } from '../model/audit.ts'
import { GatewayError } from '../model/errors.ts'
import type { AuditFilter, AuditSpan, AuditStore, NotedDecision } from '../state/audit.ts'
import type { AuditSpill } from './audit-spill.ts'

export interface AuditOptions {
  readonly store: AuditStore
  /** Lets approvals expire, so that they are recorded soon after their time. */
  readonly expire: (now: number) => Promise<void>
  /** How long records are kept, milliseconds. */
  readonly keptMs: number
  /** Receives the newest record now and then, to be kept where no user of the database can change it. */
  readonly onHead: (head: AuditHead) => void
  /** The audit cannot be written. */
  readonly outage: OutageLog
  /** Takes what cannot be written before the end. @default null: it is lost */
  readonly spill?: AuditSpill | null
  readonly now?: () => number
}

/** More decisions than this do not wait for a database that is away. */
const MOST_WAITING = 10_000
const AT_ONCE = 200
const RETRY_MS = 1_000
/** Approvals expire, other gateways die, and the head moves without a decision here. */
const TICK_MS = 60_000
/** How long the end waits for a database that is away. */
const CLOSING_MS = 3_000
const DAY_MS = 24 * 60 * 60 * 1000

/** Writes decisions into the chain, in the order in which they were noted. Nobody waits for it but its readers. */
export class Audit {
  readonly #options: Required<AuditOptions>
  readonly #outage: OutageWatch
  readonly #tick: NodeJS.Timeout
  /** Resolves when what earlier gateways spilled is chained, or cannot be now. */
  #restoring: Promise<void>
  #waiting: NotedDecision[] = []
  #lost = 0
  #lostInAll = 0
  #isClosed = false
  #running: Promise<void> | null = null
  #isDue = false
  #retry: NodeJS.Timeout | null = null
  #head: AuditHead | null = null
  #announced = 0
  #prunedDay = 0

  constructor(options: AuditOptions) {
    this.#options = { now: Date.now, spill: null, ...options }
    this.#outage = new OutageWatch(options.outage)
    this.#restoring = this.#restore()
    this.#tick = setInterval(() => void this.#work(), TICK_MS).unref()
  }

  readonly note = (decision: Decision): void => {
    if (this.#waiting.length < MOST_WAITING && !this.#isClosed) {
      this.#waiting.push({ ...decision, time: this.#options.now() })
    } else {
      this.#lost++
      this.#lostInAll++
    }
    this.soon()
  }

  /** Chains what waits, in memory and in the database, without a wait for the caller. */
  soon(): void {
    this.#isDue = true
    if (this.#retry === null && !this.#isClosed) void this.#flush()
  }

  /** @throws {GatewayError} SERVER while the database is away */
  async read(filter: AuditFilter, span: AuditSpan): Promise<readonly AuditRecord[]> {
    return await this.#reach(async () => {
      await this.#options.expire(this.#options.now())
      this.soon()
      await this.#running
      return await this.#options.store.read(filter, span)
    })
  }

  /** @throws {GatewayError} SERVER while the database is away */
  head(): Promise<AuditHead> {
    return this.#reach(async () => {
      await this.#running
      return await this.#options.store.head()
    })
  }

  /** Decisions that neither the database nor a file will ever have. */
  get lost(): number {
    return this.#lostInAll
  }

  /** Writes what is left, once. If it cannot within a few seconds, spills the rest, and counts what is lost. */
  async close(): Promise<void> {
    clearInterval(this.#tick)
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
    this.soon()
    await endOf(Promise.all([this.#running, this.#restoring]), CLOSING_MS)
    this.#isClosed = true
    if (this.#retry) clearTimeout(this.#retry)
    this.#spillRest()
    this.#announceHead()
  }

  #spillRest(): void {
    const left = this.#batch(MOST_WAITING)
    if (left.length > 0 && !this.#options.spill?.save(left)) {
      this.#lostInAll += this.#waiting.length
    }
    this.#waiting = []
  }

  async #restore(): Promise<void> {
    try {
      await this.#options.spill?.restore(this.#options.store)
    } catch {
      // The next tick tries again.
    }
  }

  #flush(): Promise<void> {
    this.#running ??= this.#write().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #write(): Promise<void> {
    const { store } = this.#options
    while (this.#isDue) {
      this.#isDue = false
      const lost = this.#lost
      const count = Math.min(AT_ONCE, this.#waiting.length)
      const batch = this.#batch(count)
      try {
        this.#head = await this.#outage.watch(store.append(batch))
        this.#waiting = this.#waiting.slice(count)
        this.#lost -= lost
        if (this.#waiting.length > 0) this.#isDue = true
      } catch {
        this.#retryLater()
        return
      }
    }
  }

  /** The oldest decisions that wait, and the number of those that found no room. */
  #batch(most: number): readonly NotedDecision[] {
    const batch = this.#waiting.slice(0, most)
    return this.#lost > 0 ? [...batch, this.#lostDecision(this.#lost)] : batch
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = null
      this.soon()
    }, RETRY_MS).unref()
  }

  async #work(): Promise<void> {
    const { store, expire, keptMs, now } = this.#options
    try {
      await expire(now())
      const day = Math.floor(now() / DAY_MS)
      if (day !== this.#prunedDay) {
        await store.prune(day * DAY_MS - keptMs, now())
        this.#prunedDay = day
      }
    } catch {
      // The next tick tries again.
    }
    this.#restoring = this.#restore()
    this.soon()
    await this.#running
    this.#announceHead()
  }

  #announceHead(): void {
    if (this.#head === null || this.#head.seq === this.#announced) return
    this.#announced = this.#head.seq
    this.#options.onHead(this.#head)
  }

  #lostDecision(lost: number): NotedDecision {
    const reason = 'The database was away for too long.'
    const facts = { actor: GATEWAY, subject: 'audit', reason, details: { records: lost } }
    return { action: 'audit.lost', ...facts, time: this.#options.now() }
  }

  async #reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      throw new GatewayError('SERVER', 'The audit is unavailable. Try again.', {
        status: 503,
        retryAfterMs: 1000,
        cause,
      })
    }
  }
}
