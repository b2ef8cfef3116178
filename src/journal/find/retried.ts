/**
 * A route was tried again: a later attempt of the request has the same route. Reads that check on a write do not count, but after such
 * a check the write may be sent again.
 */
import { check } from './condition.ts'
import type { Condition, Source } from './search.ts'

/** Only after these decisions a route is tried again. Few attempts have them, and the index has no others. */
const LEADING_AGAIN = ['retry_same', 'verify'] as const

const NEXT = `attempts.next IN (${LEADING_AGAIN.map(decision => `'${decision}'`).join(', ')})`

/** The same route may not have been tried again after all: the time was up, or the check left the write unknown. */
const AGAIN = `${NEXT} AND attempts.purpose IS NULL AND EXISTS (SELECT 1 FROM attempts AS later
  WHERE later.key = attempts.key AND later.position > attempts.position AND later.route = attempts.route
  AND later.status <> 'skipped' AND later.purpose IS NULL)`

const RETRIES: Source = {
  table: 'attempts',
  index: 'attempts_by_retry',
  column: 'attempts.next',
  where: NEXT,
  type: 'text',
  values: LEADING_AGAIN,
}

/** Requests for which a route was tried again. */
export function hasRetry(wanted: boolean): Condition {
  const any = `EXISTS (SELECT 1 FROM attempts WHERE attempts.key = requests.key AND ${AGAIN})`
  return wanted ? { ...check(any), sources: [RETRIES] } : check(`NOT ${any}`)
}

/** Attempts after which their route was tried again. */
export function wasRetried(wanted: boolean): Condition {
  return wanted ? { ...check(`(${AGAIN})`), sources: [RETRIES] } : check(`(${AGAIN}) IS NOT TRUE`)
}
