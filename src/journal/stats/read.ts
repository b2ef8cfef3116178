/** From counters to what `GET /v1/stats` shows. The SQL is the same for every database. */
import type { Route } from '../../outcome.ts'
import type { Stats, StatsFilter, StatsRow } from '../journal.ts'
import type { Sql } from '../query.ts'
import { ALL_CALLERS, binColumns, SKIPPED, SPANS, SUCCESS } from './counters.ts'
import { type Durations, mergeDurations, percentile } from './histogram.ts'

/** One outcome of one series in one bucket. */
export interface CountedRow {
  readonly bucket: number
  readonly capability_id: string
  readonly route: string
  readonly outcome: string
  readonly count: number
  readonly fallbacks: number
  readonly min_ms: number
  readonly max_ms: number
  /** Comma-separated: one short text is moved between threads and over the network faster than 55 columns. */
  readonly bins: string
}

export function statsQuery(filter: StatsFilter): Sql {
  const { since, until, bucketMs, capability, route, caller } = filter
  const span = SPANS.findLast(({ ms }) => bucketMs % ms === 0)?.ms ?? SPANS[0].ms
  const conditions: [string, string | number][] = [
    ['span = ?', span],
    ['caller = ?', caller ?? ALL_CALLERS],
    ['bucket >= ?', since],
    ['bucket < ?', until],
    ...(capability === undefined ? [] : [['capability_id = ?', capability] as [string, string]]),
    ...(route === undefined ? [] : [['route = ?', route] as [string, string]]),
  ]
  const bins = binColumns().map(column => `sum(${column})`)
  return {
    text: `
      SELECT bucket - bucket % ${bucketMs} AS bucket, capability_id, route, outcome,
        sum(count) AS count, sum(fallbacks) AS fallbacks,
        min(min_ms) AS min_ms, max(max_ms) AS max_ms, concat_ws(',', ${bins.join(', ')}) AS bins
      FROM stats WHERE ${conditions.map(([sql]) => sql).join(' AND ')}
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    values: conditions.map(([, value]) => value),
  }
}

export function toStats(filter: StatsFilter, rows: readonly CountedRow[]): Stats {
  const { since, until, bucketMs } = filter
  const seriesOf = ({ capability_id, route }: CountedRow) => `${capability_id} ${route}`
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket_ms: bucketMs,
    totals: groupBy(rows.toSorted(bySeries), seriesOf).map(group => toRow(group, since)),
    buckets: groupBy(rows, row => `${row.bucket} ${seriesOf(row)}`).map(group =>
      toRow(group, group[0].bucket),
    ),
  }
}

function bySeries(a: CountedRow, b: CountedRow): number {
  return a.capability_id.localeCompare(b.capability_id) || a.route.localeCompare(b.route)
}

type Group = readonly [CountedRow, ...CountedRow[]]

function groupBy(rows: readonly CountedRow[], keyOf: (row: CountedRow) => string): Group[] {
  const groups = new Map<string, [CountedRow, ...CountedRow[]]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups.values()]
}

function toRow(group: Group, time: number): StatsRow {
  const [{ capability_id, route }] = group
  const ran = group.filter(({ outcome }) => outcome !== SKIPPED)
  const count = sum(ran, row => row.count)
  const success = sum(ran, row => (row.outcome === SUCCESS ? row.count : 0))
  const fallbacks = sum(ran, row => row.fallbacks)
  const durations = mergeDurations(ran.map(toDurations))
  return {
    time: new Date(time).toISOString(),
    capability_id: capability_id || null,
    route: (route || null) as Route | null,
    count,
    success,
    success_rate: rate(success, count),
    skipped: sum(group, row => row.count) - count,
    fallbacks,
    fallback_rate: rate(fallbacks, count),
    codes: countCodes(ran),
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    p99_ms: percentile(durations, 0.99),
  }
}

function countCodes(rows: readonly CountedRow[]): Record<string, number> {
  const codes: Record<string, number> = {}
  for (const { outcome, count } of rows) {
    if (outcome !== SUCCESS) codes[outcome] = (codes[outcome] ?? 0) + count
  }
  return codes
}

function toDurations({ bins, min_ms, max_ms }: CountedRow): Durations {
  return { bins: bins.split(',').map(Number), min: min_ms, max: max_ms }
}

function sum(rows: readonly CountedRow[], valueOf: (row: CountedRow) => number): number {
  return rows.reduce((total, row) => total + valueOf(row), 0)
}

/** A share to four digits; null when nothing ran. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}
