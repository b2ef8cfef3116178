import type { ErrorCode, ErrorSource, WriteOutcome } from './errors.ts'
import type { Route } from './route.ts'
import type { Subject } from './subject.ts'
import type { Warning } from './warnings.ts'

/** Why a route was taken, or not. Closed set; `meta.reason` and the reason of a skipped attempt. */
export const REASONS = [
  'CARD_PREFERRED',
  'CARD_FALLBACK',
  'ROUTE_PINNED',
  'ROUTE_FAILED',
  'CLI_NOT_AVAILABLE',
  'CLI_UNAUTHENTICATED',
  'NO_CREDENTIAL',
  'ADAPTER_UNSUPPORTED',
  'INPUT_NOT_SERVED',
  'QUOTA_EXHAUSTED',
  'SHARED_FATE',
  'CIRCUIT_OPEN',
  'DEADLINE',
  'WRITE_OUTCOME_UNKNOWN',
  'RECOVERED',
  'CACHE_HIT',
  'REVALIDATED',
  'COALESCED',
  'IDEMPOTENT_REPLAY',
  'INPUT_VALIDATION',
  'OUTPUT_VALIDATION',
] as const
export type Reason = (typeof REASONS)[number]

/** What was decided after an attempt. */
export const DECISIONS = ['retry_same', 'next_route', 'give_up', 'verify'] as const
export type Decision = (typeof DECISIONS)[number]

/** How an attempt ended. */
export const ATTEMPT_STATUSES = ['success', 'error', 'skipped'] as const
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

/** One row of `meta.attempts`: a call on a route, or a route that was passed over. */
export interface Attempt {
  readonly route: Route
  readonly status: AttemptStatus
  readonly error_code?: ErrorCode
  /** Why it was skipped. */
  readonly reason?: Reason
  readonly message?: string
  /** Milliseconds, measured; absent when skipped. */
  readonly duration_ms?: number
  /** Milliseconds after the request began at which this attempt began. */
  readonly started_ms?: number
  /** 0 for the first call on a route. */
  readonly retry?: number
  readonly upstream_status?: number
  readonly upstream_request_id?: string
  /** Requests sent upstream, when not exactly one (lookups, further pages). */
  readonly upstream_requests?: number
  /** Calls of the batch that the request to the upstream served, when more than this one. */
  readonly shared_by?: number
  readonly write_outcome?: WriteOutcome
  readonly retry_after_ms?: number
  readonly next?: Decision
  /** `verify`: one of the reads that find out whether a write was applied. */
  readonly purpose?: 'verify'
  /** The capability that was called, where it is another than the one asked for. */
  readonly capability_id?: string
}

/** What an agent should do about an error. */
export type NextAction =
  | 'retry'
  | 'wait'
  | 'fix_input'
  | 'reauth'
  | 'verify'
  | 'ask_human'
  | 'give_up'

export interface Next {
  readonly action: NextAction
  /** Milliseconds to wait, with `wait` and `retry`. */
  readonly after_ms?: number
  /** Members of the input to change, with `fix_input`. */
  readonly fields?: readonly string[]
  /** The call that finds out what happened, with `verify`. */
  readonly capability?: string
  readonly input?: unknown
}

export interface EnvelopeError {
  readonly code: ErrorCode
  readonly message: string
  readonly retryable: boolean
  readonly retry_after_ms: number | null
  readonly source: ErrorSource
  /** Null unless the capability changes something and a request may have been sent. */
  readonly write_outcome: WriteOutcome | null
  readonly hint_id: string
  readonly next: Next
  readonly details: Readonly<Record<string, unknown>>
}

export interface Meta {
  /** Null when the request never reached a capability (unknown path, malformed JSON). */
  readonly capability_id: string | null
  readonly request_id: string
  /** The request id of the batch that this call was one of. */
  readonly batch_id?: string
  readonly route_used: Route | null
  readonly reason: Reason | null
  readonly attempts: readonly Attempt[]
  readonly duration_ms: number
  readonly warnings: readonly Warning[]
  /** Absent when there is nothing to suggest. */
  readonly next?: readonly SuggestedCall[]
}

/** A call that may come next: it exists, its input is valid, and it is not the one just made. */
export interface SuggestedCall {
  readonly capability: string
  readonly input: Readonly<Record<string, unknown>>
  readonly reason?: string
}

/** The answer, in the profile `default`. Key order is part of the contract. */
export type Envelope =
  | { readonly ok: true; readonly data: unknown; readonly error: null; readonly meta: Meta }
  | { readonly ok: false; readonly data: null; readonly error: EnvelopeError; readonly meta: Meta }

/** An envelope and the HTTP status that goes with it. */
export interface Answer {
  readonly envelope: Envelope
  readonly status: number
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true
  /** What the call was about. Absent where it reached no capability, and in what is stored. */
  readonly subject?: Subject
}

/** Appends warnings to those of an envelope. */
export function withWarnings<T extends Envelope>(envelope: T, warnings: readonly Warning[]): T {
  if (warnings.length === 0) return envelope
  const { meta } = envelope
  return { ...envelope, meta: { ...meta, warnings: [...meta.warnings, ...warnings] } }
}
