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

/** The combined outcome of two attempts at the same change. */
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
  // Retries of an overloaded gateway would keep it overloaded.
  if (failure.source === 'gateway') return false
  return failure.retryable && canRetry && (failure.retryAfterMs ?? 0) < remainingMs
}

/** Full jitter: spreads the retries of many callers over the whole of an exponentially growing window. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(2000, 100 * 2 ** retry)
}

/** How much each code explains, 1 the most: "does not exist" explains a call better than "route was down". */
const EXPLAINS = {
  AUTH: 1,
  FORBIDDEN: 1,
  APPROVAL_REQUIRED: 1,
  NOT_FOUND: 1,
  VALIDATION: 1,
  CONFLICT: 1,
  TOO_LARGE: 1,
  RATE_LIMIT: 2,
  NOT_READY: 2,
  SERVER: 3,
  TIMEOUT: 3,
  NETWORK: 3,
  CANCELLED: 3,
  OUTPUT_INVALID: 4,
  UNKNOWN: 4,
  ADAPTER_UNSUPPORTED: 5,
} as const satisfies Record<ErrorCode, number>

/** Whether a later failure explains the call better than an earlier one; equals do not. */
export function explainsMore(later: Failure, earlier: Failure): boolean {
  return EXPLAINS[later.code] < EXPLAINS[earlier.code]
}
