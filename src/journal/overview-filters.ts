/** The filters by which numbers of the overview lead to their requests, as SQL and for rows that arrive live. */
import type { AttemptStatus } from '../model/reasons.ts'
import { type RequestOutcome, requestOutcome } from '../model/request-outcome.ts'
import type { Route } from '../model/route.ts'
import { SOLE } from './columns.ts'
import { by, check, given } from './find/condition.ts'
import { outcomeSql } from './find/indexed.ts'
import type { Condition } from './find/search.ts'
import { FIRST_TRY, ofColumn, ofOutcomes, ofRoute } from './find/sources.ts'
import type { RequestRow, TrailStep } from './row-schemas.ts'

export interface OverviewFilter {
  readonly outcome?: RequestOutcome
  /** Requests with an attempt on the route; reads that verified writes are none. */
  readonly tried?: Route
  readonly failed_on?: Route
  readonly skipped_on?: Route
}

/** Conditions on `requests`. */
export function overviewConditions({
  outcome,
  tried,
  failed_on,
  skipped_on,
}: OverviewFilter): Condition[] {
  return [
    ...given(outcome, ended),
    ...given(tried, triedOn),
    ...given(failed_on, route => hasAttempt(route, 'error')),
    ...given(skipped_on, route => hasAttempt(route, 'skipped')),
  ]
}

function ended(outcome: RequestOutcome): Condition {
  return outcome === 'first_try'
    ? by(check('requests.plain > 0'), [ofOutcomes(FIRST_TRY)])
    : by(check(`${outcomeSql('requests.')} = ?`, outcome), [ofOutcomes([outcome])])
}

const ON_ROUTE = `EXISTS (SELECT 1 FROM attempts
  WHERE attempts.key = requests.key AND attempts.route = ? AND attempts.purpose IS NULL AND attempts.status`

function hasAttempt(route: Route, status: AttemptStatus): Condition {
  return { ...check(`${ON_ROUTE} = ?)`, route, status), sources: [ofRoute(route, [status])] }
}

function triedOn(route: Route): Condition {
  const sole = 'requests.plain = ? AND requests.route_used = ?'
  return {
    ...check(`((${sole}) OR ${ON_ROUTE} <> 'skipped'))`, SOLE, route, route),
    sources: [
      ofColumn('requests', 'route_used', [route], 'requests_by_route'),
      ofRoute(route, ['success', 'error']),
    ],
  }
}

type Live = Pick<RequestRow, 'ok' | 'borrowed' | 'trail'>

/** The same for a row that has just been written. */
export function passesOverview(filter: OverviewFilter, row: Live): boolean {
  const { outcome, tried, failed_on, skipped_on } = filter
  return (
    (outcome === undefined || outcome === requestOutcome(row.ok, row.trail)) &&
    (tried === undefined || isOn(row, tried, ({ status }) => status !== 'skipped')) &&
    (failed_on === undefined || isOn(row, failed_on, ({ status }) => status === 'error')) &&
    (skipped_on === undefined || isOn(row, skipped_on, ({ status }) => status === 'skipped'))
  )
}

/** Requests that took over the attempts of another request have none of their own. */
function isOn(
  { borrowed, trail }: Live,
  route: Route,
  fits: (step: TrailStep) => boolean,
): boolean {
  if (borrowed) return false
  return trail.some(step => step.route === route && step.purpose === null && fits(step))
}
