import type { Decision } from '../model/envelope.ts'
import type { ErrorCode, WriteOutcome } from '../model/errors.ts'
import type { Failure } from '../model/failure.ts'
import type { Effect } from '../model/route.ts'

export interface Standing {
  readonly effect: Effect
  readonly hasVerify: boolean
  /** Whether a route is left that does not share the fate of this one. */
  readonly hasNextRoute: boolean
  /** Whether retries are left, by count and by budget. */
  readonly canRetry: boolean
  /** Milliseconds left for waiting and another attempt. */
  readonly remainingMs: number
  readonly callerGone: boolean
}

/** May the same change be sent once more, on any route? The rule that writes are never repeated. */
export function maySendAgain(effect: Effect, failure: Failure): boolean {
  return effect !== 'write' || failure.writeOutcome === 'not_applied'
}

const HARM = ['not_applied', 'unknown', 'applied'] as const satisfies readonly WriteOutcome[]

/** What two attempts at the same change have done together. */
export function lessHarmless(one: WriteOutcome, other: WriteOutcome): WriteOutcome {
  return HARM.indexOf(other) > HARM.indexOf(one) ? other : one
}

/**
 * What to do after a failed attempt. Another route comes before waiting: it is the quicker of the two,
 * and a failing upstream gains nothing from being asked again at once.
 */
export function decide(failure: Failure, standing: Standing): Decision {
  if (!maySendAgain(standing.effect, failure)) {
    return standing.hasVerify && failure.writeOutcome === 'unknown' ? 'verify' : 'give_up'
  }
  if (standing.callerGone) return 'give_up'
  if (failure.fallback && standing.hasNextRoute) return 'next_route'
  const waits = failure.retryAfterMs ?? 0
  return failure.retryable && standing.canRetry && waits < standing.remainingMs
    ? 'retry_same'
    : 'give_up'
}

/** Full jitter: spreads the retries of many callers over the whole of an exponentially growing window. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(2000, 100 * 2 ** retry)
}

/**
 * How much a failure explains, most telling first. A later failure replaces an earlier one only when it
 * says more: that a thing does not exist explains a call better than that the first route was down.
 */
const TELLING = [
  ['AUTH', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION', 'CONFLICT', 'TOO_LARGE'],
  ['RATE_LIMIT', 'NOT_READY'],
  ['SERVER', 'TIMEOUT', 'NETWORK', 'CANCELLED'],
  ['OUTPUT_INVALID', 'UNKNOWN'],
  ['ADAPTER_UNSUPPORTED'],
] as const satisfies readonly (readonly ErrorCode[])[]

export function moreTelling(first: Failure, later: Failure): Failure {
  return rank(later.code) < rank(first.code) ? later : first
}

function rank(code: ErrorCode): number {
  return TELLING.findIndex(codes => (codes as readonly ErrorCode[]).includes(code))
}
