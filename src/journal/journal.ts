import type { JsonText } from '../lib/json-text.ts'
import type { AnswerFrom } from '../model/answer-from.ts'
import type { AskedOptions } from '../model/asked-options.ts'
import type { Envelope } from '../model/envelope.ts'
import type { JournalHealth } from '../model/health.ts'
import type { Plan } from '../model/plan.ts'
import type { AttemptPurpose, AttemptStatus } from '../model/reasons.ts'
import type { Effect, Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'
import type { HistoryFilter, HistoryRows } from './history.ts'
import type { OverviewFilter } from './overview-filters.ts'
import type {
  AttemptRow,
  LiveRow,
  Page,
  RequestDetail,
  RequestRow,
  Stats,
  UpstreamHistory,
} from './row-schemas.ts'

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
  /** The same for `envelope.data`. */
  readonly dataJson?: JsonText | undefined
  /** Stored only if the setting `journal_payloads` is `redacted`. */
  readonly input?: unknown
  /** The call came within a larger request of its door, such as a batch, whose own log line does not describe it. */
  readonly isPart?: boolean
  /** The other request that the answer comes from. */
  readonly answerFrom?: AnswerFrom | null
  readonly options?: AskedOptions | null
  /** Hash of its Idempotency-Key, see key-hash.ts. */
  readonly keyHash?: string | null
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
  readonly upstream?: string
  readonly effect?: Effect
  /** Hash of its Idempotency-Key, see key-hash.ts. */
  readonly keyHash?: string | null
}

/**
 * Filters of both lists; all that are given must hold. Times are epoch milliseconds and refer to the start of the
 * request; `since` is inclusive, `until` is exclusive. In the list of attempts, filters that both lists have are
 * about the attempt, except for `caller` and `upstream`; `ok: false` selects those that failed, and a skipped one is
 * neither.
 */
export interface JournalFilter extends RequestOnlyFilter, AttemptOnlyFilter {
  /** An id, a pattern in which `*` stands for any characters, or `NO_CAPABILITY`. */
  readonly capability?: string
  readonly ok?: boolean
  readonly code?: string
  /** The route that answered; in the list of attempts, the route of the attempt. */
  readonly route?: string
  readonly caller?: string
  /** Status of any attempt that the request made. */
  readonly status?: AttemptStatus
  /** Reason of the request, or of any attempt that it made. */
  readonly reason?: string
  /** HTTP status of any attempt that the request made: one such as 503, or a class such as 5xx. */
  readonly upstream_status?: string
  readonly min_duration_ms?: number
  readonly upstream?: string
  readonly since?: number
  readonly until?: number
}

/**
 * Filters of requests. The list of attempts has them too: those of such requests, but for those of `OverviewFilter` by route,
 * which it finds by its own route and status.
 */
interface RequestOnlyFilter extends OverviewFilter {
  readonly request_id?: string
  /** An id of the request, words of its texts, or part of the name of its capability. */
  readonly q?: string
  /** `own` leaves out the words of answers, for a reader who does not see all of them. @default all */
  readonly q_within?: 'own' | 'all'
  readonly correlation_id?: string
  readonly batch_id?: string
  readonly write_outcome?: string
  /** HTTP status of the answer: one such as 503, or a class such as 5xx. */
  readonly http_status?: string
  /** Whether an attempt was followed by another on the same route; in the list of attempts, this one. */
  readonly retried?: boolean
  /** Whether another route answered than the first. */
  readonly fell_back?: boolean
  /** Only these rows, for a stream that filters what arrives. */
  readonly keys?: readonly number[]
}

/** Filters of attempts alone. */
interface AttemptOnlyFilter {
  /** Whether another route was tried because this one could not serve the call, as `fallbacks` of the statistics counts. */
  readonly moved_on?: boolean
  /** Whether the attempt is part of the call, or verifies a write. */
  readonly purpose?: AttemptPurpose
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
  /** Only these. */
  readonly capabilities?: readonly string[]
  readonly route?: string
  /** Only this caller's requests. */
  readonly caller?: string
  /** Leave out the buckets of each series, which a long time has many of. */
  readonly totalsOnly?: boolean
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
  upstreamHistory(filter: HistoryFilter): Promise<UpstreamHistory>
}

/** The durable record. */
export interface Journal extends JournalReader {
  /**
   * Resolves when the row is handed to the database; never rejects (see `health`).
   * @param secrets the credentials of this request: an upstream may have echoed them. The journal's own are known.
   */
  append(record: RequestRecord, secrets?: readonly string[]): PromiseLike<void>
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
  /** Records what is known of the upstreams now, beside the requests. Never rejects. */
  noteUpstreams(rows: HistoryRows): Promise<void>
  /** Calls the listener with each request that is written, until the returned function is called. */
  watch(listener: (live: LiveRow) => void): () => void
  health(): JournalHealth
  close(): Promise<void>
}
