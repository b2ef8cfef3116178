/** Table `stats`: what was counted, for each span of time, caller, capability, route and outcome. */
import type { Column } from '../rows.ts'
import { BINS } from './histogram.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The lengths of time that are counted, and how long the counts are kept. Longer ones make a query over
 * days as cheap as one over an hour.
 */
export const SPANS = [
  { ms: MINUTE, keptMs: 3 * DAY },
  { ms: 15 * MINUTE, keptMs: 60 * DAY },
  { ms: DAY, keptMs: 800 * DAY },
] as const

/** In place of a caller: all of them together. */
export const ALL_CALLERS = ''
/** In place of a route: the requests themselves, as callers saw them. */
export const WHOLE_REQUEST = ''

export const SUCCESS = 'success'
export const SKIPPED = 'skipped'

export interface CounterKey {
  readonly span: number
  /** Epoch milliseconds at which the span of time begins. */
  readonly bucket: number
  readonly caller: string
  /** Empty for requests that reached no capability. */
  readonly capability_id: string
  readonly route: string
  /** `success`, `skipped`, or an error code. */
  readonly outcome: string
}

export const KEY_COLUMNS = [
  'span',
  'bucket',
  'caller',
  'capability_id',
  'route',
  'outcome',
] as const satisfies (keyof CounterKey)[]

/** Added up when the same key is counted again. */
export const SUM_COLUMNS = ['count', 'fallbacks', ...binColumns()] as const

export const COUNTER_COLUMNS = [...KEY_COLUMNS, ...SUM_COLUMNS, 'min_ms', 'max_ms'] as const

export function binColumns(): string[] {
  return Array.from({ length: BINS }, (_, bin) => `b${bin}`)
}

/** What is counted under one key. */
export interface Counter {
  count: number
  /** Requests that another route answered than the first, or attempts after which the next one was tried. */
  fallbacks: number
  min: number
  max: number
  readonly bins: number[]
}

export interface CounterRow {
  readonly key: CounterKey
  readonly counter: Counter
}

/** Values in the order of `COUNTER_COLUMNS`. */
export function toColumns({ key, counter }: CounterRow): Column[] {
  const { count, fallbacks, bins, min, max } = counter
  return [...KEY_COLUMNS.map(name => key[name]), count, fallbacks, ...bins, min, max]
}
