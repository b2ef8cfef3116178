import type { JsonText } from '../lib/json-text.ts'
import type { Envelope } from '../model/envelope.ts'
import type { JournalHealth } from '../model/health.ts'
import type { Plan } from '../model/plan.ts'
import type { Effect, Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'
import type { AttemptRow, LiveRow, Page, RequestDetail, RequestRow, Stats } from './row-schemas.ts'

/** The journal's record of one request. Derived once from the finished envelope; holds no credential. */
export interface RequestRecord {
  /** A ULID. */
  readonly request_id: string
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  readonly caller: string
  /** Null if the request never reached a capability. */
  readonly capability_id: string | null
  readonly upstream: string | null
  readonly effect: Effect | null
  readonly http_status: number
  /** Null if the request failed before it was planned. */
  readonly plan: Plan | null
  /** The JSON of `plan`, if somebody has it. */
  readonly planJson?: JsonText | null
  readonly envelope: Envelope
  /** The JSON of `envelope.meta`, if somebody else needs it too. */
  readonly metaJson?: JsonText | undefined
  /** Stored only if the setting `journal_payloads` is `redacted`. */
  readonly input?: unknown
  /** The call came within a larger request of its door, such as a batch, whose own log line does not describe it. */
  readonly isPart?: boolean
  /** The attempts in the envelope belong to another request, which this one joined or repeats. */
  readonly borrowed?: boolean
  /** Null if the request failed before it was planned. */
  readonly trace?: Trace | null
}

/** Written before a write is sent upstream: after a crash, the next gateway knows which writes were in flight. */
export interface IntentRecord {
  readonly request_id: string
  readonly correlation_id?: string
  readonly batch_id?: string
  readonly batch_step?: string
  readonly batch_item?: number
  readonly time: number
  readonly caller: string
  readonly capability_id: string
  readonly route: Route
}

/**
 * Filters of both lists. Times are epoch milliseconds and refer to the start of the request; `since` is inclusive,
 * `until` exclusive. In the list of attempts `ok: false` selects those that failed; a skipped one is neither.
 */
export interface JournalFilter {
  readonly capability?: string
  readonly ok?: boolean
  readonly code?: string
  /** The route that answered; in the list of attempts, the route of the attempt. */
  readonly route?: string
  readonly caller?: string
  /** Only the list of requests has it. */
  readonly correlation_id?: string
  /** Only the list of requests has it. */
  readonly batch_id?: string
  readonly since?: number
  readonly until?: number
}

/** `after` asks for rows older than that cursor, `before` for newer ones. Never both. */
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
  /** Only this caller's requests. */
  readonly caller?: string
}

/** Reads the record. Lists are newest first. Paging is by key, so new rows do not shift the pages. */
export interface JournalReader {
  requests(filter: JournalFilter, page: PageRequest): Promise<Page<RequestRow>>
  attempts(filter: JournalFilter, page: PageRequest): Promise<Page<AttemptRow>>
  /** Null if there is none, or if `caller` is given and the request is someone else's. */
  request(requestId: string, caller?: string): Promise<RequestDetail | null>
  /** The rows after the one with that `id`, oldest first. If there are more than `limit`: the newest of them. */
  missed(filter: JournalFilter, id: string, limit: number): Promise<readonly LiveRow[]>
  stats(filter: StatsFilter): Promise<Stats>
}

/** The durable record. */
export interface Journal extends JournalReader {
  /**
   * Resolves when the row is handed to the database; never rejects (see `health`).
   * @param secrets the credentials of this request: an upstream may have echoed them. The journal's own are known.
   */
  append(record: RequestRecord, secrets?: readonly string[]): Promise<void>
  /**
   * Announces that a record will be appended soon. The writer then may wait a moment for it, because one
   * transaction for several records costs little more than one for a single record.
   * @returns a function to call once, right before the record is appended.
   */
  announce(): () => void
  /** Calls that have announced their record and not appended it. */
  running(): number
  /** Like `append`, but before the request is sent upstream, and rejects if the intent cannot be written. */
  intend(record: IntentRecord): Promise<void>
  /** Calls the listener with each request that is written, until the returned function is called. */
  watch(listener: (live: LiveRow) => void): () => void
  health(): JournalHealth
  close(): Promise<void>
}
