/** From counters to what `GET /v1/stats` shows. The SQL is the same for every database. */
import type { Route } from '../../outcome.ts'
import type { Stats, StatsFilter, StatsRow } from '../journal.ts'
import type { Sql } from '../query.ts'
import { ALL_CALLERS, binColumns, SKIPPED, SPANS, SUCCESS } from './counters.ts'
import { addDurations, type Durations, percentile } from './histogram.ts'

/** One series in one bucket. */
export interface CountedRow {
  readonly bucket: number
  readonly capability_id: string
  readonly route: string
  readonly count: number
  readonly success: number
  readonly skipped: number
  readonly fallbacks: number
  readonly min_ms: number
  readonly max_ms: number
  /** Comma-separated: one short text is moved between threads and over the network faster than 55 columns. */
  readonly bins: string
}

/** How many of a series failed with one code in one bucket. */
export interface CodeRow {
  readonly bucket: number
  readonly capability_id: string
  readonly route: string
  readonly outcome: string
  readonly count: number
}

export function countsQuery(filter: StatsFilter): Sql {
  const bins = binColumns().map(column => `sum(${column})`)
  const countOf = (condition: string) =>
    `coalesce(sum(count) FILTER (WHERE outcome ${condition}), 0)`
  return grouped(
    filter,
    `capability_id, route, ${countOf(`<> '${SKIPPED}'`)} AS count,
      ${countOf(`= '${SUCCESS}'`)} AS success, ${countOf(`= '${SKIPPED}'`)} AS skipped,
      sum(fallbacks) AS fallbacks, min(min_ms) AS min_ms, max(max_ms) AS max_ms,
      concat_ws(',', ${bins.join(', ')}) AS bins`,
    'TRUE',
    '1, 2, 3',
  )
}

export function codesQuery(filter: StatsFilter): Sql {
  const failed = `outcome NOT IN ('${SUCCESS}', '${SKIPPED}')`
  return grouped(filter, 'capability_id, route, outcome, sum(count) AS count', failed, '1, 2, 3, 4')
}

/** Of the counters of the longest span of time that fits, so that few rows are read. */
function grouped(filter: StatsFilter, columns: string, condition: string, by: string): Sql {
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
  return {
    text: `
      SELECT bucket - bucket % ${bucketMs} AS bucket, ${columns} FROM stats
      WHERE ${conditions.map(([sql]) => sql).join(' AND ')} AND ${condition}
      GROUP BY ${by} ORDER BY ${by}`,
    values: conditions.map(([, value]) => value),
  }
}

/** Everything counted of one series, in one bucket or in all. */
interface Series {
  readonly capability_id: string
  readonly route: string
  count: number
  success: number
  skipped: number
  fallbacks: number
  readonly codes: Record<string, number>
  readonly durations: Durations
}

export function toStats(
  filter: StatsFilter,
  counted: readonly CountedRow[],
  failed: readonly CodeRow[],
): Stats {
  const { since, until, bucketMs } = filter
  const totals = new Map<string, Series>()
  const buckets = new Map<string, Series>()
  const nameOf = ({ capability_id, route }: CountedRow | CodeRow) => `${capability_id} ${route}`
  for (const row of counted) {
    const series = seriesOf(row)
    buckets.set(`${row.bucket} ${nameOf(row)}`, series)
    totals.set(nameOf(row), addTo(totals.get(nameOf(row)), series))
  }
  for (const row of failed) {
    for (const series of [buckets.get(`${row.bucket} ${nameOf(row)}`), totals.get(nameOf(row))]) {
      if (series) series.codes[row.outcome] = (series.codes[row.outcome] ?? 0) + row.count
    }
  }
  const sorted = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    bucket_ms: bucketMs,
    totals: sorted.map(([, series]) => toRow(series, since)),
    buckets: [...buckets].map(([key, series]) => toRow(series, Number.parseInt(key, 10))),
  }
}

function seriesOf({ bins, min_ms, max_ms, bucket: _bucket, ...counts }: CountedRow): Series {
  const durations = { bins: bins.split(',').map(Number), min: min_ms, max: max_ms }
  return { ...counts, codes: {}, durations }
}

function addTo(total: Series | undefined, { durations, ...added }: Series): Series {
  if (!total) {
    return { ...added, codes: {}, durations: { ...durations, bins: [...durations.bins] } }
  }
  total.count += added.count
  total.success += added.success
  total.skipped += added.skipped
  total.fallbacks += added.fallbacks
  addDurations(total.durations, durations)
  return total
}

function toRow(series: Series, time: number): StatsRow {
  const { capability_id, route, count, success, skipped, fallbacks, codes, durations } = series
  return {
    time: new Date(time).toISOString(),
    capability_id: capability_id || null,
    route: (route || null) as Route | null,
    count,
    success,
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

/** A share to four digits; null when nothing ran. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}
