/** Reads how requests ended over time, and what few of them have. */
import { REQUEST_OUTCOMES, type RequestOutcome } from '../../model/request-outcome.ts'
import type { Sql } from '../find/search.ts'
import type { StatsFilter } from '../journal.ts'
import type { OutcomeBucket, StatsTotal } from '../row-schemas.ts'
import {
  FACTS,
  OUTCOMES,
  ROUTE_FACTS,
  type RouteFact,
  readSeriesRoute,
  WHOLE_REQUEST,
} from './counters.ts'
import { OUTCOME_SUMS, selectCounters, startOf } from './grouped.ts'

/** One fact of one series over the whole time. */
export interface FactTotal {
  readonly capability_id: string
  readonly route: string
  readonly fact: string
  readonly count: number
}

export interface TimelineRow extends Record<RequestOutcome, number> {
  readonly bucket: number
}

export function factsQuery(filter: StatsFilter): Sql {
  return selectCounters(filter, {
    table: FACTS.name,
    columns: 'capability_id, route, fact, sum(count) AS count',
    groups: 'capability_id, route, fact',
  })
}

/** Whole requests, also where the filter asks for a route: a request may try several. */
export function timelineQuery({ route: _any, ...filter }: StatsFilter): Sql {
  const start = startOf({ ...filter, totalsOnly: false }) ?? 'bucket'
  return selectCounters(filter, {
    table: OUTCOMES.name,
    columns: `${start} AS bucket, ${OUTCOME_SUMS}`,
    condition: `route = '${WHOLE_REQUEST}'`,
    groups: start,
  })
}

export function toOutcomeBucket({ bucket, ...row }: TimelineRow): OutcomeBucket {
  return { time: new Date(bucket).toISOString(), ...outcomesOf(row) }
}

export function outcomesOf(row: Readonly<Record<RequestOutcome, number>>) {
  return Object.fromEntries(REQUEST_OUTCOMES.map(name => [name, row[name]])) as Record<
    RequestOutcome,
    number
  >
}

/** Finds the facts of a series. */
export function groupFacts(rows: readonly FactTotal[]) {
  const groups = Map.groupBy(rows, nameOf)
  return (
    series: Pick<FactTotal, 'capability_id' | 'route'>,
    count: number,
  ): Pick<StatsTotal, 'reasons' | 'requests'> => {
    const facts = Object.fromEntries(
      (groups.get(nameOf(series)) ?? []).map(row => [row.fact, row.count]),
    )
    if (series.route === WHOLE_REQUEST) return { reasons: facts, requests: null }
    // The requests that verified writes are those of the writes.
    const isCall = readSeriesRoute(series.route).purpose === null
    return { reasons: {}, requests: isCall ? requestsOn(facts, count) : null }
  }
}

function nameOf({ capability_id, route }: Pick<FactTotal, 'capability_id' | 'route'>): string {
  return `${capability_id} ${route}`
}

function requestsOn(
  facts: Readonly<Partial<Record<RouteFact, number>>>,
  attempts: number,
): StatsTotal['requests'] {
  const [failed = 0, skipped = 0, again = 0] = ROUTE_FACTS.map(name => facts[name])
  return { tried: attempts - again, failed, skipped }
}
