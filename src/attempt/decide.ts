import type { ErrorCode, WriteOutcome } from '../model/errors.ts'
import type { Failure } from '../model/failure.ts'
import type { Decision } from '../model/reasons.ts'
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

/** Whether the same change may be sent once more, on any route. This rule keeps writes from being repeated. */
export function maySendAgain(effect: Effect, failure: Failure): boolean {
  return effect !== 'write' || failure.writeOutcome === 'not_applied'
}

const FROM_BEST_TO_WORST = [
  'not_applied',
  'unknown',
  'applied',
] as const satisfies readonly WriteOutcome[]

/** What two attempts at the same change may have done together. */
export function worseOutcome(one: WriteOutcome, other: WriteOutcome): WriteOutcome {
  return FROM_BEST_TO_WORST.indexOf(other) > FROM_BEST_TO_WORST.indexOf(one) ? other : one
}

/**
 * Decides what follows a failed attempt. Another route comes before waiting: it is quicker, and a failing
 * upstream gains nothing from being asked again at once.
 */
export function decide(failure: Failure, standing: Standing): Decision {
  if (!maySendAgain(standing.effect, failure)) {
    return standing.hasVerify && failure.writeOutcome === 'unknown' ? 'verify' : 'give_up'
  }
  if (standing.callerGone) return 'give_up'
  if (failure.fallback && standing.hasNextRoute) return 'next_route'
  return mayRetry(failure, standing) ? 'retry_same' : 'give_up'
}

function mayRetry(failure: Failure, { canRetry, remainingMs }: Standing): boolean {
  return failure.retryable && canRetry && (failure.retryAfterMs ?? 0) < remainingMs
}

/** Full jitter: spreads the retries of many callers over the whole of an exponentially growing window. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(2000, 100 * 2 ** retry)
}

/** Codes by how much they explain, best first: "does not exist" explains a call better than "route was down". */
const EXPLAINING = [
  ['AUTH', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION', 'CONFLICT', 'TOO_LARGE'],
  ['RATE_LIMIT', 'NOT_READY'],
  ['SERVER', 'TIMEOUT', 'NETWORK', 'CANCELLED'],
  ['OUTPUT_INVALID', 'UNKNOWN'],
  ['ADAPTER_UNSUPPORTED'],
] as const satisfies readonly (readonly ErrorCode[])[]

/** Whether a later failure explains the call better than an earlier one; equals do not. */
export function explainsMore(later: Failure, earlier: Failure): boolean {
  return rank(later.code) < rank(earlier.code)
}

function rank(code: ErrorCode): number {
  return EXPLAINING.findIndex(codes => (codes as readonly ErrorCode[]).includes(code))
}
