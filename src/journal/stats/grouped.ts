/** The SELECTs over counters, the same for every database. */
import { REQUEST_OUTCOMES } from '../../model/request-outcome.ts'
import type { Sql } from '../find/search.ts'
import type { StatsFilter } from '../journal.ts'
import { ALL_CALLERS, COUNTED_AS, ON_ROUTE, SPANS } from './counters.ts'

/** SQL for the counters whose outcome meets a condition. */
export function countOf(condition: string): string {
  return `coalesce(sum(count) FILTER (WHERE outcome ${condition}), 0)`
}

/** A column for each outcome of requests. */
export const OUTCOME_SUMS = REQUEST_OUTCOMES.map(
  name => `${countOf(COUNTED_AS[name])} AS ${name}`,
).join(', ')

interface Grouping {
  readonly table: string
  readonly columns: string
  readonly condition?: string
  readonly by?: string
}

/** Groups the counters by bucket and series. */
export function grouped(filter: StatsFilter, { by, ...grouping }: Grouping): Sql {
  const start = startOf(filter)
  const groups = `capability_id, route${by ? `, ${by}` : ''}`
  return selectCounters(filter, {
    ...grouping,
    columns: `${start ?? filter.since} AS bucket, capability_id, route, ${grouping.columns}`,
    groups: start === null ? groups : `${start}, ${groups}`,
  })
}

/** SQL for the bucket of a counter; null without buckets. */
export function startOf({ bucketMs, totalsOnly }: StatsFilter): string | null {
  if (totalsOnly) return null
  // If a bucket is one span, the rows come grouped and ordered from the primary key.
  return bucketMs === spanOf(bucketMs) ? 'bucket' : `bucket - bucket % ${bucketMs}`
}

interface Selection extends Omit<Grouping, 'by'> {
  readonly groups: string
}

/** Reads the counters of the longest span of time that fits the buckets, so that it reads few rows. */
export function selectCounters(filter: StatsFilter, selection: Selection): Sql {
  const { table, columns, condition, groups } = selection
  const { since, until, bucketMs, capability, capabilities, route, caller } = filter
  const conditions: [string, string | number][] = [
    ['span = ?', spanOf(bucketMs)],
    ['caller = ?', caller ?? ALL_CALLERS],
    ['bucket >= ?', since],
    ['bucket < ?', until],
    ...(capability === undefined ? [] : [['capability_id = ?', capability] as [string, string]]),
    ...(route === undefined ? [] : [[ON_ROUTE, route] as [string, string]]),
  ]
  const names = capabilities ?? []
  const among = capabilities && `capability_id IN (${names.map(() => '?').join(', ') || 'NULL'})`
  const where = [...conditions.map(([sql]) => sql), among, condition].filter(Boolean)
  return {
    text: `SELECT ${columns} FROM ${table} WHERE ${where.join(' AND ')}
      GROUP BY ${groups} ORDER BY ${groups}`,
    values: [...conditions.map(([, value]) => value), ...names],
  }
}

function spanOf(bucketMs: number): number {
  return SPANS.findLast(({ ms }) => bucketMs % ms === 0)?.ms ?? SPANS[0].ms
}
