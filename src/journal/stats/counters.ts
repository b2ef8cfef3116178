/** Tables `stats_outcomes`, `stats_durations` and `stats_facts`: counters by span of time, caller, capability and route. */
import type { Attempt } from '../../model/envelope.ts'
import type { RequestOutcome } from '../../model/request-outcome.ts'
import type { Column } from '../columns.ts'
import type { StatsRow } from '../row-schemas.ts'
import { BINS, type Durations } from './histogram.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The lengths of the spans of time that have counters, and how long these are kept. With the longer spans a query
 * over days is as cheap as one over an hour.
 */
export const SPANS = [
  { ms: MINUTE, keptMs: 3 * DAY },
  { ms: 15 * MINUTE, keptMs: 60 * DAY },
  { ms: DAY, keptMs: 800 * DAY },
] as const

/** Stands for all callers together. */
export const ALL_CALLERS = ''
/** Stands for the whole request, as its caller saw it, instead of the attempts on one route. */
export const WHOLE_REQUEST = ''

const VERIFYING = ' verify'

/** Reads that verify writes have series of their own, so that they do not count as calls of their capability. */
export function routeOfSeries({ route, purpose }: Pick<Attempt, 'route' | 'purpose'>): string {
  return purpose === undefined ? route : `${route}${VERIFYING}`
}

/** The inverse of `routeOfSeries()`; null for the whole request. */
export function readSeriesRoute(name: string): Pick<StatsRow, 'route' | 'purpose'> {
  const route = (name.replace(VERIFYING, '') || null) as StatsRow['route']
  return { route, purpose: name.endsWith(VERIFYING) ? 'verify' : null }
}

/** The series of one route, whatever their purpose. */
export const ON_ROUTE = `replace(route, '${VERIFYING}', '') = ?`

export const SUCCESS = 'success'
/** Answered, but not on the first try. Only requests have it: an attempt is one try. */
export const LATER = 'later'
/** Stands before the code of a request that the gateway refused before it tried a route. */
const REFUSED = 'refused '

/** The outcome under which a request is counted. */
export function countedOutcome(outcome: RequestOutcome, code: string | undefined): string {
  if (outcome === 'first_try') return SUCCESS
  if (outcome === 'later_try') return LATER
  return outcome === 'refused' ? `${REFUSED}${code}` : (code ?? 'UNKNOWN')
}

/** SQL for the rows of each outcome. */
export const COUNTED_AS: Readonly<Record<RequestOutcome, string>> = {
  first_try: `= '${SUCCESS}'`,
  later_try: `= '${LATER}'`,
  failed: `NOT IN ('${SUCCESS}', '${LATER}', 'skipped') AND outcome NOT LIKE '${REFUSED}%'`,
  refused: `LIKE '${REFUSED}%'`,
}

/** SQL for the error code of an outcome. */
export const CODE = `replace(outcome, '${REFUSED}', '')`
export const SKIPPED = 'skipped'

/** The columns that both tables begin with. */
export interface SeriesKey {
  readonly span: number
  /** Epoch milliseconds at which the span of time begins. */
  readonly bucket: number
  readonly caller: string
  /** Empty for requests that reached no capability. */
  readonly capability_id: string
  /** See `routeOfSeries()`. */
  readonly route: string
}

export const SERIES_COLUMNS = [
  'span',
  'bucket',
  'caller',
  'capability_id',
  'route',
] as const satisfies (keyof SeriesKey)[]

/** How often requests or attempts had one outcome. */
export interface OutcomeRow extends SeriesKey {
  /** `success`, `skipped`, an error code, or one of `countedOutcome()`. */
  readonly outcome: string
  count: number
  /** Requests that a later route answered, or attempts after which another route was tried. */
  fallbacks: number
}

/** How long requests or attempts took. One row for all outcomes, because these rows are wide. */
export interface DurationRow extends SeriesKey {
  readonly durations: Durations
}

/**
 * How many requests have a reason, or something on a route: facts that few requests have, so that an ordinary
 * success costs no row here.
 */
export interface FactRow extends SeriesKey {
  /** A reason; with a route, see `ROUTE_FACTS`. */
  readonly fact: string
  count: number
}

/** Requests with a failed attempt, requests that skipped the route, and repeated attempts, which are no further requests. */
export const ROUTE_FACTS = ['failed', 'skipped', 'again'] as const
export type RouteFact = (typeof ROUTE_FACTS)[number]

export interface StatsRows {
  readonly outcomes: readonly OutcomeRow[]
  readonly durations: readonly DurationRow[]
  /** Absent in a file that an older version has spilled. */
  readonly facts?: readonly FactRow[]
}

/** How to write a table: rows with equal `keys` are merged, and their `sums` added. */
export interface CounterTable {
  readonly name: string
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  readonly extremes: boolean
}

export const OUTCOMES: CounterTable = {
  name: 'stats_outcomes',
  keys: [...SERIES_COLUMNS, 'outcome'],
  sums: ['count', 'fallbacks'],
  extremes: false,
}

export const DURATIONS: CounterTable = {
  name: 'stats_durations',
  keys: SERIES_COLUMNS,
  sums: Array.from({ length: BINS }, (_, bin) => `b${bin}`),
  extremes: true,
}

export const FACTS: CounterTable = {
  name: 'stats_facts',
  keys: [...SERIES_COLUMNS, 'fact'],
  sums: ['count'],
  extremes: false,
}

export const COUNTER_TABLES: readonly CounterTable[] = [OUTCOMES, DURATIONS, FACTS]

/** All columns, in the order of the values below. */
export function columnsOf({ keys, sums, extremes }: CounterTable): readonly string[] {
  return [...keys, ...sums, ...(extremes ? ['min_ms', 'max_ms'] : [])]
}

export function outcomeValues(row: OutcomeRow): Column[] {
  return [...SERIES_COLUMNS.map(name => row[name]), row.outcome, row.count, row.fallbacks]
}

export function durationValues(row: DurationRow): Column[] {
  const { bins, min, max } = row.durations
  return [...SERIES_COLUMNS.map(name => row[name]), ...bins, min, max]
}

export function factValues(row: FactRow): Column[] {
  return [...SERIES_COLUMNS.map(name => row[name]), row.fact, row.count]
}

/** @param least the database's functions for the smaller and the greater of two numbers. */
export function addOnConflict(table: CounterTable, [least, greatest]: [string, string]): string {
  const { name, keys, sums, extremes } = table
  const added = sums.map(column => `${column} = ${name}.${column} + excluded.${column}`)
  const widened = [
    `min_ms = ${least}(${name}.min_ms, excluded.min_ms)`,
    `max_ms = ${greatest}(${name}.max_ms, excluded.max_ms)`,
  ]
  const changes = [...added, ...(extremes ? widened : [])]
  return `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}
