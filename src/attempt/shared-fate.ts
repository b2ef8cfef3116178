import type { FailedRoute } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { CardRoute } from '../model/card.ts'
import type { Needs } from '../model/credential.ts'

/** Whether this route would fail for the same reason as the one that failed last. */
export function sharesFate(last: FailedRoute | null, route: CardRoute): boolean {
  switch (last?.failure.sharedFate) {
    case 'credential':
      return hasSameNeeds(last.route.needs, route.needs)
    case 'host':
      return true
    case 'pool':
      return last.route.pool !== null && last.route.pool === route.pool
    default:
      return false
  }
}

/** Routes with other needs present other secrets. */
function hasSameNeeds(one: Needs, other: Needs): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other)
}
