import type { Attempt } from './envelope.ts'
import type { Decision } from './reasons.ts'

type Judged = Pick<Attempt, 'route' | 'status' | 'next' | 'purpose'>

/** Decisions after which another route can follow: at once, or after a check that found no trace of the write. */
export const BEFORE_OTHER_ROUTES: readonly Decision[] = ['next_route', 'verify']

/**
 * Whether another route was tried because this one could not serve the call. The decision alone does not say so: there may be no
 * time left for the other routes, or none that can be used, and a check may find the write or lead to a retry on the same route.
 * `movedOn()` in journal/find/attempts.ts is the same as SQL.
 * @param all the attempts of the request, this one included. Those that were tried are in the order of time.
 */
export function fellBack(attempt: Judged, all: readonly Judged[]): boolean {
  if (!attempt.next || !BEFORE_OTHER_ROUTES.includes(attempt.next)) return false
  const later = all
    .slice(all.indexOf(attempt) + 1)
    .find(({ status, purpose }) => status !== 'skipped' && purpose === attempt.purpose)
  return later !== undefined && later.route !== attempt.route
}
