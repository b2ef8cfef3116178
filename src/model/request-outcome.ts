import type { Attempt } from './envelope.ts'

/**
 * How a request ended for its caller. `later_try`: answered after a retry, a fallback or a skipped route. `refused`:
 * the gateway planned no route, because of the call or of a limit. A call whose routes were all skipped is `failed`, so
 * that an outage with open circuits shows. Closed set.
 */
export const REQUEST_OUTCOMES = ['first_try', 'later_try', 'failed', 'refused'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

/** @param attempts skipped ones included */
export function requestOutcome(
  ok: boolean,
  attempts: readonly Pick<Attempt, 'status'>[],
): RequestOutcome {
  if (!ok) return attempts.length === 0 ? 'refused' : 'failed'
  return attempts.every(({ status }) => status === 'success') ? 'first_try' : 'later_try'
}
