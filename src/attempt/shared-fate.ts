import type { FailedRoute } from '../engine/run.ts'
import type { CardRoute } from '../model/card.ts'

/** Whether this route would fail for the same reason as the one that failed last. */
export function sharesFate(last: FailedRoute | null, route: CardRoute): boolean {
  switch (last?.failure.sharedFate) {
    case 'credential':
    case 'host':
      return true
    case 'pool':
      return last.route.pool !== null && last.route.pool === route.pool
    default:
      return false
  }
}
