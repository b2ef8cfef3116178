import { outcomeOf } from '../../model/attempt-outcome.ts'
import type { RequestRecord } from '../journal.ts'
import {
  ALL_CALLERS,
  type DurationRow,
  type OutcomeRow,
  routeOfSeries,
  type SeriesKey,
  SPANS,
  type StatsRows,
  SUCCESS,
  WHOLE_REQUEST,
} from './counters.ts'
import { addDurations, binOf, type Durations, noDurations } from './histogram.ts'

const MINUTE = SPANS[0].ms

/** The counters of one caller, capability and route in one minute. */
interface Collected extends Omit<SeriesKey, 'span'> {
  readonly outcomes: Map<string, { count: number; fallbacks: number }>
  readonly durations: Durations
}

/**
 * Counts requests and attempts in memory, so that many can be written together. If every request updated a row,
 * all requests, of all gateways on one database, would queue for it.
 */
export class StatsCollector {
  #collected = new Map<string, Collected>()

  get isEmpty(): boolean {
    return this.#collected.size === 0
  }

  add(record: RequestRecord): void {
    const { meta, error } = record.envelope
    const request = this.#seriesOf(record, record.capability_id, WHOLE_REQUEST)
    count(request, error?.code ?? SUCCESS, meta.duration_ms, meta.reason === 'CARD_FALLBACK')
    // Borrowed attempts were counted with the request that made them.
    if (record.borrowed) return
    for (const attempt of meta.attempts) {
      const capability_id = attempt.capability_id ?? record.capability_id
      const series = this.#seriesOf(record, capability_id, routeOfSeries(attempt))
      count(series, outcomeOf(attempt), attempt.duration_ms, attempt.next === 'next_route')
    }
  }

  /** Returns and resets the counters, for each span of time: by caller, and for all callers together. */
  take(): StatsRows {
    const outcomes = new Map<string, OutcomeRow>()
    const durations = new Map<string, DurationRow>()
    for (const collected of this.#collected.values()) {
      for (const key of keysOf(collected)) {
        const id = JSON.stringify(key)
        addOutcomes(outcomes, id, key, collected)
        addTimes(durations, id, key, collected)
      }
    }
    this.#collected = new Map()
    return { outcomes: [...outcomes.values()], durations: [...durations.values()] }
  }

  #seriesOf(
    { time, caller }: RequestRecord,
    capability_id: string | null,
    route: string,
  ): Collected {
    const bucket = time - (time % MINUTE)
    const id = `${bucket} ${route} ${capability_id} ${caller}`
    const known = this.#collected.get(id)
    if (known) return known
    const created: Collected = {
      bucket,
      caller,
      capability_id: capability_id ?? '',
      route,
      outcomes: new Map(),
      durations: noDurations(),
    }
    this.#collected.set(id, created)
    return created
  }
}

function count(
  { outcomes, durations }: Collected,
  outcome: string,
  ms: number | undefined,
  fellBack: boolean,
): void {
  const counted = outcomes.get(outcome) ?? { count: 0, fallbacks: 0 }
  outcomes.set(outcome, counted)
  counted.count++
  if (fellBack) counted.fallbacks++
  if (ms === undefined) return
  const bin = binOf(ms)
  durations.bins[bin] = (durations.bins[bin] ?? 0) + 1
  durations.min = Math.min(durations.min, ms)
  durations.max = Math.max(durations.max, ms)
}

function keysOf({ bucket, caller, capability_id, route }: Collected): SeriesKey[] {
  return SPANS.flatMap(({ ms: span }) =>
    [caller, ALL_CALLERS].map(who => ({
      span,
      bucket: bucket - (bucket % span),
      caller: who,
      capability_id,
      route,
    })),
  )
}

function addOutcomes(
  rows: Map<string, OutcomeRow>,
  id: string,
  key: SeriesKey,
  { outcomes }: Collected,
): void {
  for (const [outcome, added] of outcomes) {
    const row = rows.get(`${id} ${outcome}`) ?? { ...key, outcome, count: 0, fallbacks: 0 }
    rows.set(`${id} ${outcome}`, row)
    row.count += added.count
    row.fallbacks += added.fallbacks
  }
}

/** A route that was only skipped has no durations. */
function addTimes(
  rows: Map<string, DurationRow>,
  id: string,
  key: SeriesKey,
  { durations }: Collected,
): void {
  if (durations.max < durations.min) return
  const row = rows.get(id) ?? { ...key, durations: noDurations() }
  rows.set(id, row)
  addDurations(row.durations, durations)
}
