import type { CardRoute } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'

/** A route, and how it failed. */
export interface Failed {
  readonly failure: Failure
  readonly route: CardRoute
}

/** Would this route fail for the reason that the last one did? */
export function sharesFate(last: Failed | null, route: CardRoute): boolean {
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
