import { CODES } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Exchange, Reply } from '../../src/model/reply.ts'
import type { ActualOutcome } from './case.ts'

/** A reply in the terms of a case. Data with errors counts as a failure, because a case has no output schema. */
export function outcomeOf(reply: Reply, how: string): ActualOutcome {
  if (!reply.ok) return failureOutcome(reply.failure, reply.exchange, how)
  if (reply.partialFailure) return failureOutcome(reply.partialFailure, reply.exchange, how)
  const { status, exchange, warnings } = reply
  const answered = status === null || (status >= 200 && status < 300)
  return {
    how,
    ok: true,
    code: null,
    baseCode: null,
    retryable: false,
    fallback: false,
    // A redirect or a 304 changed nothing itself.
    writeOutcome: answered && exchange.upstreamRequests <= 1 ? 'applied' : 'not_applied',
    retryAfterS: null,
    retryAfterSource: null,
    partial: warnings.some(({ code }) => code === 'PARTIAL_RESULTS'),
    shown: JSON.stringify({ warnings, exchange }),
  }
}

export function failureOutcome(failure: Failure, exchange: Exchange, how: string): ActualOutcome {
  const { code, retryAfterMs, details } = failure
  // A timeout that the upstream reports is its own failure, not the network's.
  const answered = (exchange.upstreamStatus ?? 0) >= 400 || details.reported_by === 'upstream'
  const reported = code === 'TIMEOUT' && answered
  return {
    how,
    ok: false,
    code,
    baseCode: reported ? 'SERVER' : CODES[code].base,
    retryable: failure.retryable,
    fallback: failure.fallback,
    writeOutcome: failure.writeOutcome,
    retryAfterS: retryAfterMs === null ? null : retryAfterMs / 1000,
    retryAfterSource: failure.retryAfterSource,
    partial: failure.partial,
    shown: JSON.stringify({ failure, exchange }),
  }
}
