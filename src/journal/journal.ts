import type { Decision, Envelope, Reason } from '../model/envelope.ts'
import type { ErrorCode, WriteOutcome } from '../model/errors.ts'
import type { JournalHealth } from '../model/health.ts'
import type { Plan } from '../model/plan.ts'
import type { Effect, Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'

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

/** `GET /v1/requests`: one row a request. */
export interface RequestRow {
  readonly request_id: string
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string
  readonly caller: string
  readonly capability_id: string | null
  readonly ok: boolean
  readonly code: ErrorCode | null
  readonly route_used: Route | null
  readonly reason: Reason | null
  readonly http_status: number
  readonly duration_ms: number
  readonly attempts: number
  /** `unknown` also for a write that was in flight when the gateway died. */
  readonly write_outcome: WriteOutcome | null
  /** The attempts in short, in order. */
  readonly trail: readonly TrailStep[]
}

/** One attempt, as a row of a list tells it. */
export interface TrailStep {
  readonly route: Route
  readonly status: 'success' | 'error' | 'skipped'
  readonly code: ErrorCode | null
  /** Why it was skipped. */
  readonly reason: Reason | null
  readonly duration_ms: number | null
  /** `verify`: a read that found out whether the write was applied. */
  readonly purpose: 'verify' | null
}

/** `GET /v1/attempts`: one row an attempt, skipped ones included. */
export interface AttemptRow {
  readonly request_id: string
  /** Position among the attempts of its request, from 0. */
  readonly index: number
  readonly time: string
  readonly capability_id: string | null
  readonly caller: string
  readonly route: Route
  readonly status: 'success' | 'error' | 'skipped'
  readonly code: ErrorCode | null
  readonly reason: Reason | null
  readonly duration_ms: number | null
  readonly upstream_status: number | null
  /** What was decided after it; null for a success and a skipped one. */
  readonly next: Decision | null
}

/**
 * `GET /v1/requests/{request_id}`: the row, the plan, and the envelope's error and meta as they were
 * answered. `meta` is null when nobody was: the gateway died first.
 */
export interface RequestDetail extends RequestRow {
  readonly upstream: string | null
  readonly effect: Effect | null
  readonly plan: Plan | null
  readonly error: Extract<Envelope, { ok: false }>['error'] | null
  readonly meta: Envelope['meta'] | null
  readonly input: unknown
  readonly data: unknown
  readonly trace: Trace | null
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

/** The items are newest first, whichever way one pages; `next` is older and `previous` newer. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly pageInfo: PageInfo
}

export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A request as it goes to those who watch. `id` is where a stream that broke off goes on. */
export interface LiveRow {
  readonly id: string
  readonly row: RequestRow
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

/** One capability in one span of time, in whole or by one route. */
export interface StatsRow {
  readonly time: string
  /** Null for requests that reached no capability. */
  readonly capability_id: string | null
  /** Null: the requests, as callers saw them. Else the attempts on this route. */
  readonly route: Route | null
  /** Requests answered, or attempts that ran. */
  readonly count: number
  readonly success: number
  /** 0 to 1; null when nothing ran. */
  readonly success_rate: number | null
  /** Times that this route was passed over. */
  readonly skipped: number
  /** Requests that a later route answered; attempts after which the next route was tried. */
  readonly fallbacks: number
  readonly fallback_rate: number | null
  /** How many failed, by error code. */
  readonly codes: Readonly<Record<string, number>>
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
}

export interface Stats {
  readonly since: string
  readonly until: string
  readonly bucket_ms: number
  /** Each capability and route over the whole time. */
  readonly totals: readonly StatsRow[]
  /** The same by span of time, oldest first; spans without a call are left out. */
  readonly buckets: readonly StatsRow[]
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
