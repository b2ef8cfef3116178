import type { Attempt } from './envelope.ts'

type Judged = Pick<Attempt, 'route' | 'status' | 'next' | 'purpose' | 'started_ms'>

/**
 * Whether another route was tried because this one could not serve the call. The decision alone does not say so: there may be no
 * time left for the other routes, or none that can be used.
 * @param all the attempts of the request; not in the order of time if the plan skipped routes
 */
export function fellBack(attempt: Judged, all: readonly Judged[]): boolean {
  return attempt.next === 'next_route' && all.some(other => isTriedAfter(attempt, other))
}

function isTriedAfter(attempt: Judged, other: Judged): boolean {
  const { started_ms: started = 0 } = attempt
  return (
    other.route !== attempt.route &&
    other.status !== 'skipped' &&
    other.purpose === attempt.purpose &&
    (other.started_ms ?? started) >= started
  )
}
