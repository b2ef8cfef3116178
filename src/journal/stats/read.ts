/** Turns counters into the answer of `GET /v1/stats`. The SQL is the same for every database. */
import { REQUEST_OUTCOMES, type RequestOutcome } from '../../model/request-outcome.ts'
import type { Sql } from '../find/search.ts'
import type { StatsFilter } from '../journal.ts'
import type { Stats, StatsRow } from '../row-schemas.ts'
import {
  CODE,
  DURATIONS,
  LATER,
  OUTCOMES,
  readSeriesRoute,
  SKIPPED,
  SUCCESS,
  WHOLE_REQUEST,
} from './counters.ts'
import {
  type FactTotal,
  groupFacts,
  outcomesOf,
  type TimelineRow,
  toOutcomeBucket,
} from './facts.ts'
import { countOf, grouped, OUTCOME_SUMS } from './grouped.ts'
import { addDurations, type Durations, noDurations, percentile } from './histogram.ts'

/** One series in one bucket. */
interface SeriesRow {
  readonly bucket: number
  readonly capability_id: string
  readonly route: string
}

/** How often the requests or attempts of a series had each outcome. */
export interface CountedRow extends SeriesRow, Record<RequestOutcome, number> {
  readonly count: number
  readonly success: number
  readonly skipped: number
  readonly fallbacks: number
}

/** How often a series failed with one code. */
export interface CodeRow extends SeriesRow {
  readonly code: string
  readonly count: number
}

/** How long the requests or attempts of a series took. */
export interface TimedRow extends SeriesRow {
  readonly min_ms: number
  readonly max_ms: number
  /** Comma-separated: one short text moves between threads and over the network faster than 55 columns. */
  readonly bins: string
}

export function countsQuery(filter: StatsFilter): Sql {
  return grouped(filter, {
    table: OUTCOMES.name,
    columns: `${countOf(`<> '${SKIPPED}'`)} AS count, ${countOf(`IN ('${SUCCESS}', '${LATER}')`)} AS success,
      ${countOf(`= '${SKIPPED}'`)} AS skipped, sum(fallbacks) AS fallbacks, ${OUTCOME_SUMS}`,
  })
}

export function codesQuery(filter: StatsFilter): Sql {
  return grouped(filter, {
    table: OUTCOMES.name,
    columns: `sum(count) AS count, ${CODE} AS code`,
    condition: `outcome NOT IN ('${SUCCESS}', '${LATER}', '${SKIPPED}')`,
    by: CODE,
  })
}

export function durationsQuery(filter: StatsFilter): Sql {
  const bins = DURATIONS.sums.map(column => `sum(${column})`)
  return grouped(filter, {
    table: DURATIONS.name,
    columns: `min(min_ms) AS min_ms, max(max_ms) AS max_ms,
      concat_ws(',', ${bins.join(', ')}) AS bins`,
  })
}

/** The rows of the queries. */
export interface Counted {
  readonly counts: readonly CountedRow[]
  readonly codes: readonly CodeRow[]
  readonly durations: readonly TimedRow[]
  readonly facts: readonly FactTotal[]
  readonly outcomes: readonly TimelineRow[]
}

/** The columns that add up. */
const SUMS = ['count', 'success', 'skipped', 'fallbacks', ...REQUEST_OUTCOMES] as const
type Sum = (typeof SUMS)[number]

/** The sum of one series over the whole time. */
interface Total extends Omit<CountedRow, 'bucket' | Sum>, Record<Sum, number> {
  readonly codes: Record<string, number>
  readonly durations: Durations
}

/** A day has thousands of rows, so this goes through them once and keeps only totals. */
export function toStats(filter: StatsFilter, counted: Counted): Stats {
  const { counts, codes, durations, outcomes } = counted
  const { since, until, bucketMs, totalsOnly = false } = filter
  const factsOf = groupFacts(counted.facts)
  const codesOf = groupCodes(codes)
  const timesOf = new Map(durations.map(row => [nameOf(row), row]))
  const totals = new Map<string, Total>()
  const buckets = counts.map(row => {
    const name = nameOf(row)
    const failed = codesOf.get(name) ?? NO_CODES
    const times = toDurations(timesOf.get(name))
    addTo(totalOf(totals, row), row, failed, times)
    return toRow(row, row.bucket, failed, times)
  })
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket_ms: bucketMs,
    totals: [...totals]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, total]) => ({
        ...toRow(total, since, total.codes, total.durations),
        ...factsOf(total, total.count),
      })),
    timeline: outcomes.map(toOutcomeBucket),
    buckets: totalsOnly ? [] : buckets,
  }
}

type Codes = Readonly<Record<string, number>>

const NO_CODES: Codes = {}
const NO_DURATIONS = noDurations()

function nameOf({ bucket, capability_id, route }: SeriesRow): string {
  return `${bucket} ${capability_id} ${route}`
}

function groupCodes(rows: readonly CodeRow[]): ReadonlyMap<string, Codes> {
  const groups = new Map<string, Record<string, number>>()
  for (const row of rows) {
    const name = nameOf(row)
    const codes = groups.get(name) ?? {}
    codes[row.code] = row.count
    groups.set(name, codes)
  }
  return groups
}

function toDurations(row: TimedRow | undefined): Durations {
  if (!row) return NO_DURATIONS
  return { bins: row.bins.split(',').map(Number), min: row.min_ms, max: row.max_ms }
}

function totalOf(totals: Map<string, Total>, { capability_id, route }: SeriesRow): Total {
  const name = `${capability_id} ${route}`
  const known = totals.get(name)
  if (known) return known
  const none = Object.fromEntries(SUMS.map(name => [name, 0])) as Record<Sum, number>
  const created: Total = { capability_id, route, ...none, codes: {}, durations: noDurations() }
  totals.set(name, created)
  return created
}

function addTo(total: Total, row: CountedRow, codes: Codes, durations: Durations): void {
  for (const name of SUMS) total[name] += row[name]
  for (const code in codes) total.codes[code] = (total.codes[code] ?? 0) + (codes[code] ?? 0)
  addDurations(total.durations, durations)
}

function toRow(
  counted: Omit<CountedRow, 'bucket'>,
  time: number,
  codes: Codes,
  durations: Durations,
): StatsRow {
  const { capability_id, route, count, success, skipped, fallbacks } = counted
  return {
    time: new Date(time).toISOString(),
    capability_id: capability_id || null,
    ...readSeriesRoute(route),
    count,
    success,
    outcomes: route === WHOLE_REQUEST ? outcomesOf(counted) : null,
    success_rate: rate(success, count),
    skipped,
    fallbacks,
    fallback_rate: rate(fallbacks, count),
    codes,
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    p99_ms: percentile(durations, 0.99),
  }
}

/** A share, rounded to four digits; null if nothing ran. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}
