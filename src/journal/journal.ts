import type { Envelope } from '../model/envelope.ts'
import type { JournalHealth } from '../model/health.ts'
import type { Plan } from '../model/plan.ts'
import type { Effect, Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'
import type { AttemptRow, LiveRow, Page, RequestDetail, RequestRow, Stats } from './row-schemas.ts'

/** What is kept of one request. Derived once from the finished envelope; holds no credential. */
export interface RequestRecord {
  /** ULID: sorts by time. */
  readonly request_id: string
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  readonly caller: string
  /** Null when the request never reached a capability. */
  readonly capability_id: string | null
  readonly upstream: string | null
  readonly effect: Effect | null
  readonly http_status: number
  /** Null when planning was never reached. */
  readonly plan: Plan | null
  readonly envelope: Envelope
  /** Kept only when `journal.payloads` is `redacted`. */
  readonly input?: unknown
  /** The attempts in the envelope were made for another request, which this one joined or repeats. */
  readonly borrowed?: boolean
  /** Null when planning was never reached. */
  readonly trace?: Trace | null
}

/** Written before a request that changes something is sent, so that a crash leaves a trace and not a guess. */
export interface IntentRecord {
  readonly request_id: string
  readonly time: number
  readonly caller: string
  readonly capability_id: string
  readonly route: Route
}

/**
 * Filters of both lists. Times are epoch milliseconds, of the beginning of the request; `since` inclusive,
 * `until` exclusive. Among attempts, `ok` false means those that failed: a skipped one is neither.
 */
export interface JournalFilter {
  readonly capability?: string
  readonly ok?: boolean
  readonly code?: string
  /** The route that answered; among attempts, the route of the attempt. */
  readonly route?: string
  readonly caller?: string
  readonly since?: number
  readonly until?: number
}

/** With `after`, what is older than that cursor; with `before`, what is newer. Never both. */
export interface PageRequest {
  readonly limit: number
  /** Opaque; from `endCursor` of a page. */
  readonly after?: string
  /** Opaque; from `startCursor` of a page. */
  readonly before?: string
}

/** Times are epoch milliseconds, and whole multiples of `bucketMs`. */
export interface StatsFilter {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  readonly capability?: string
  readonly route?: string
  /** Leaves out the requests of everybody else. */
  readonly caller?: string
}

/** Reading the record. Lists are newest first; keyset paging, so that rows that arrive meanwhile shift nothing. */
export interface JournalReader {
  requests(filter: JournalFilter, page: PageRequest): Promise<Page<RequestRow>>
  attempts(filter: JournalFilter, page: PageRequest): Promise<Page<AttemptRow>>
  /** Null when there is none, or when it belongs to another caller than the one named. */
  request(requestId: string, caller?: string): Promise<RequestDetail | null>
  /** What a watcher missed since the row of that `id`, oldest first; of more than `limit`, the newest. */
  missed(filter: JournalFilter, id: string, limit: number): Promise<readonly LiveRow[]>
  stats(filter: StatsFilter): Promise<Stats>
}

/** The durable record. */
export interface Journal extends JournalReader {
  /** Resolves when the row is handed to the database; never rejects (see `health`). */
  append(record: RequestRecord): Promise<void>
  /**
   * Tells that a record will come before long, for which others may wait a moment: one transaction for several
   * costs little more than for one. The returned function is to be called, once, just before it comes.
   */
  expect(): () => void
  /** As `append`, but before the request is sent. Rejects when it could not be written. */
  intend(record: IntentRecord): Promise<void>
  /** Calls the listener with each request that is written, until the returned function is called. */
  watch(listener: (live: LiveRow) => void): () => void
  health(): JournalHealth
  close(): Promise<void>
}
