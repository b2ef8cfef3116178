import type { Run } from '../engine/run.ts'
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
  const facts = {
    duration_ms: roundMs(timing.ended - timing.started),
    started_ms: roundMs(timing.started - run.deadline.startedAt),
    retry: timing.retry,
    ...describeExchange(result.exchange),
    ...purposeOf(run),
  }
  if (result.ok) return { route, status: 'success', ...facts }
  const { code, message, writeOutcome, retryAfterMs } = result.failure
  return {
    route,
    status: 'error',
    error_code: code,
    message: shorten(message, run.attempts.length < FULL_MESSAGES ? MAX_MESSAGE : MAX_REPEATED),
    ...facts,
    ...(run.card.effect === 'read' ? {} : { write_outcome: writeOutcome }),
    ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
    ...(next === null ? {} : { next }),
  }
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
  return { route, status: 'skipped', error_code: code, reason, ...purposeOf(run) }
}

/** Marks the reads that check on a write, so that nobody takes them for attempts of the write itself. */
function purposeOf({ purpose, card }: Run): Pick<Attempt, 'purpose' | 'capability_id'> {
  return purpose === undefined ? {} : { purpose, capability_id: card.id }
}

function describeExchange(exchange: Exchange) {
  const { upstreamStatus, upstreamRequestId, upstreamRequests, shared } = exchange
  return {
    ...(upstreamStatus === null ? {} : { upstream_status: upstreamStatus }),
    ...(upstreamRequestId === null
      ? {}
      : { upstream_request_id: shorten(upstreamRequestId, MAX_ID) }),
    ...(upstreamRequests === 1 ? {} : { upstream_requests: upstreamRequests }),
    ...(shared === undefined ? {} : { shared_by: shared.calls }),
  }
}
