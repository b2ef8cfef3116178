import type { Run } from '../engine/run.ts'
import type { Building } from '../lib/building.ts'
import { roundMs } from '../lib/round-ms.ts'
import { shorten } from '../lib/text.ts'
import type { CardRoute } from '../model/card.ts'
import type { Attempt } from '../model/envelope.ts'
import type { ErrorCode } from '../model/errors.ts'
import type { Failure, FailureCore } from '../model/failure.ts'
import type { Decision, Reason } from '../model/reasons.ts'
import type { Exchange } from '../model/reply.ts'
import { type TraceStep, toStep } from '../model/trace.ts'
import type { AttemptResult } from './attempt-route.ts'

const MAX_MESSAGE = 300
const MAX_ID = 200
/** The later attempts of a long row mostly repeat the first messages. */
const FULL_MESSAGES = 8
const MAX_REPEATED = 60

/** Monotonic milliseconds. */
export interface AttemptTiming {
  readonly started: number
  readonly ended: number
  readonly retry: number
}

/** The one record of an attempt. Envelope entry, trace step, journal row, span and metric all derive from it. */
export function describeAttempt(
  run: Run,
  { route }: CardRoute,
  result: AttemptResult,
  timing: AttemptTiming,
  next: Decision | null,
): Attempt {
  const attempt: Building<Attempt> = result.ok
    ? { route, status: 'success' }
    : { route, status: 'error', error_code: result.failure.code, message: messageOf(run, result) }
  attempt.duration_ms = roundMs(timing.ended - timing.started)
  attempt.started_ms = roundMs(timing.started - run.deadline.startedAt)
  attempt.retry = timing.retry
  addExchange(attempt, result.exchange)
  addPurpose(attempt, run)
  if (result.ok) return attempt
  const { writeOutcome, retryAfterMs } = result.failure
  if (run.card.effect !== 'read') attempt.write_outcome = writeOutcome
  if (retryAfterMs !== null) attempt.retry_after_ms = retryAfterMs
  if (next !== null) attempt.next = next
  return attempt
}

function messageOf({ attempts }: Run, { failure }: Extract<AttemptResult, { ok: false }>): string {
  return shorten(failure.message, attempts.length < FULL_MESSAGES ? MAX_MESSAGE : MAX_REPEATED)
}

/** The attempt with its failure, but without the failure's words: no decision depends on them. */
export function describeStep({ card }: Run, attempt: Attempt, result: AttemptResult): TraceStep {
  return toStep(card.id, attempt, result.ok ? null : factsOf(result.failure))
}

function factsOf({ message: _message, details: _details, ...facts }: Failure): FailureCore {
  return facts
}

export function describeSkip(
  run: Run,
  { route }: CardRoute,
  reason: Reason,
  code: ErrorCode,
): Attempt {
  const attempt: Building<Attempt> = { route, status: 'skipped', error_code: code, reason }
  addPurpose(attempt, run)
  return attempt
}

/** Marks the reads that check on a write, so that nobody takes them for attempts of the write itself. */
function addPurpose(attempt: Building<Attempt>, { purpose, card }: Run): void {
  if (purpose === undefined) return
  attempt.purpose = purpose
  attempt.capability_id = card.id
}

function addExchange(attempt: Building<Attempt>, exchange: Exchange): void {
  const { upstreamStatus, upstreamRequestId, upstreamRequests, shared } = exchange
  if (upstreamStatus !== null) attempt.upstream_status = upstreamStatus
  if (upstreamRequestId !== null) attempt.upstream_request_id = shorten(upstreamRequestId, MAX_ID)
  if (upstreamRequests !== 1) attempt.upstream_requests = upstreamRequests
  if (shared !== undefined) attempt.shared_by = shared.calls
}
