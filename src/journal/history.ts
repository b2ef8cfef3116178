/** Tables `quota_history` and `circuit_history`: what the gateway knew of its upstreams, minute by minute. */
import type { BreakerKind } from '../model/breaker.ts'
import type { Column } from './columns.ts'
import type { Sql } from './find/search.ts'
import type { UpstreamHistory } from './row-schemas.ts'

const MINUTE = 60_000

/** A quota as an upstream has last reported it. Times are epoch milliseconds. */
export interface QuotaSample {
  readonly upstream: string
  readonly bucket: number
  readonly pool: string
  readonly credential: string
  readonly at: number
  readonly remaining: number
  readonly quota_limit: number | null
  readonly reset_at: number | null
}

/** A circuit that was not closed. */
export interface CircuitSample {
  readonly upstream: string
  readonly bucket: number
  readonly route: string
  readonly state: number
}

export interface HistoryRows {
  readonly quotas: readonly QuotaSample[]
  readonly circuits: readonly CircuitSample[]
}

/** The worst state of a minute counts, so that the samples of several gateways can be merged in any order. */
export const CIRCUIT_STATES = { half_open: 1, open: 2 } as const satisfies Partial<
  Record<BreakerKind, number>
>

export function minuteOf(time: number): number {
  return time - (time % MINUTE)
}

export interface HistoryTable {
  readonly name: string
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

export const QUOTAS = {
  name: 'quota_history',
  keys: ['upstream', 'bucket', 'pool', 'credential'],
  values: ['at', 'remaining', 'quota_limit', 'reset_at'],
} as const satisfies HistoryTable

export const CIRCUITS = {
  name: 'circuit_history',
  keys: ['upstream', 'bucket', 'route'],
  values: ['state'],
} as const satisfies HistoryTable

export const HISTORY_TABLES: readonly HistoryTable[] = [QUOTAS, CIRCUITS]

export function historyColumns({ keys, values }: HistoryTable): readonly string[] {
  return [...keys, ...values]
}

/** Rows in the order of their keys, so that gateways that write the same rows cannot deadlock. */
export function inKeyOrder<Row extends object>(rows: readonly Row[], table: HistoryTable): Row[] {
  const keyOf = (row: Row) => table.keys.map(key => row[key as keyof Row]).join(' ')
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** Repeating a statement changes nothing: the newest quota stays, and the worst state. */
export function mergeHistory(table: HistoryTable): string {
  const conflict = `ON CONFLICT (${table.keys.join(', ')}) DO UPDATE SET`
  const changes = table.values.map(name => `${name} = excluded.${name}`).join(', ')
  const newer = table === QUOTAS ? 'at' : 'state'
  return `${conflict} ${changes} WHERE excluded.${newer} >= ${table.name}.${newer}`
}

export interface HistoryFilter {
  readonly upstream: string
  readonly since: number
  readonly until: number
  readonly bucketMs: number
}

interface QuotaRow {
  readonly bucket: number
  readonly pool: string
  readonly credential: string
  readonly remaining: number
  readonly quota_limit: number | null
  readonly reset_at: number | null
}

interface CircuitRow {
  readonly bucket: number
  readonly route: string
  readonly state: number
  readonly minutes: number
}

export function quotasQuery(filter: HistoryFilter): Sql {
  return historyQuery(filter, {
    table: QUOTAS,
    series: 'pool, credential',
    columns:
      'min(remaining) AS remaining, max(quota_limit) AS quota_limit, max(reset_at) AS reset_at',
  })
}

export function circuitsQuery(filter: HistoryFilter): Sql {
  return historyQuery(filter, {
    table: CIRCUITS,
    series: 'route',
    columns: 'max(state) AS state, count(*) AS minutes',
  })
}

function historyQuery(
  { upstream, since, until, bucketMs }: HistoryFilter,
  { table, series, columns }: Record<'series' | 'columns', string> & { table: HistoryTable },
): Sql {
  const start = `bucket - bucket % ${bucketMs}`
  return {
    text: `SELECT ${start} AS bucket, ${series}, ${columns} FROM ${table.name}
      WHERE upstream = ? AND bucket >= ? AND bucket < ?
      GROUP BY ${series}, ${start} ORDER BY ${series}, ${start}`,
    values: [upstream, since, until],
  }
}

/** @param rows those of `quotasQuery()` and `circuitsQuery()` */
export function toHistory(
  { since, until, bucketMs }: HistoryFilter,
  rows: { readonly quotas: readonly unknown[]; readonly circuits: readonly unknown[] },
): UpstreamHistory {
  const quotas = Map.groupBy(rows.quotas as QuotaRow[], row => `${row.pool} ${row.credential}`)
  const circuits = Map.groupBy(rows.circuits as CircuitRow[], row => row.route)
  return {
    since: timeOf(since),
    until: timeOf(until),
    bucket_ms: bucketMs,
    quotas: [...quotas.values()].flatMap(([first, ...more]) =>
      first ? [toQuota(first, more)] : [],
    ),
    circuits: [...circuits].map(([route, points]) => ({
      route: route as UpstreamHistory['circuits'][number]['route'],
      points: points.map(({ bucket, state, minutes }) => ({
        time: timeOf(bucket),
        state: state === CIRCUIT_STATES.open ? 'open' : 'half_open',
        minutes,
      })),
    })),
  }
}

function toQuota(first: QuotaRow, more: readonly QuotaRow[]): UpstreamHistory['quotas'][number] {
  return {
    pool: first.pool,
    credential: first.credential || null,
    points: [first, ...more].map(({ bucket, remaining, quota_limit: limit, reset_at }) => ({
      time: timeOf(bucket),
      remaining,
      limit,
      reset_at: reset_at === null ? null : timeOf(reset_at),
    })),
  }
}

function timeOf(time: number): string {
  return new Date(time).toISOString()
}

/** The values of a row, in the order of `historyColumns()`. */
export function historyValues(row: QuotaSample | CircuitSample, table: HistoryTable): Column[] {
  return historyColumns(table).map(name => row[name as keyof typeof row] as Column)
}
