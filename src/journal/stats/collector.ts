import { outcomeOf } from '../../model/attempt-outcome.ts'
import type { Attempt } from '../../model/envelope.ts'
import { fellBack } from '../../model/fell-back.ts'
import { requestOutcome } from '../../model/request-outcome.ts'
import type { RequestRecord } from '../journal.ts'
import {
  ALL_CALLERS,
  countedOutcome,
  type DurationRow,
  type FactRow,
  type OutcomeRow,
  type RouteFact,
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
  readonly facts: Map<string, number>
  readonly durations: Durations
}

/**
 * Counts requests and attempts in memory, so that many can be written together. If every request updated a row,
 * all requests, of all gateways on one database, would queue for it.
 */
export class StatsCollector {
  #collected = new Map<string, Collected>()
  /** The last series, of requests and of attempts: the next call mostly counts in the same two. */
  readonly #last: { whole: Collected | null; route: Collected | null } = {
    whole: null,
    route: null,
  }

  get isEmpty(): boolean {
    return this.#collected.size === 0
  }

  add(record: RequestRecord): void {
    const { ok, meta, error } = record.envelope
    const request = this.#seriesOf(record, record.capability_id, WHOLE_REQUEST)
    const outcome = countedOutcome(requestOutcome(ok, meta.attempts), error?.code)
    count(request, outcome, meta.duration_ms, meta.reason === 'CARD_FALLBACK')
    countReasons(request, record)
    // Borrowed attempts were counted with the request that made them.
    if (record.answerFrom?.borrowed) return
    for (const attempt of meta.attempts) {
      const capability_id = attempt.capability_id ?? record.capability_id
      const series = this.#seriesOf(record, capability_id, routeOfSeries(attempt))
      count(series, outcomeOf(attempt), attempt.duration_ms, fellBack(attempt, meta.attempts))
    }
    if (outcome !== SUCCESS) this.#countRouteFacts(record)
  }

  /** Counts requests by what happened on each route, since a request may have several attempts there. */
  #countRouteFacts(record: RequestRecord): void {
    const own = record.envelope.meta.attempts.filter(({ purpose }) => purpose === undefined)
    for (const [route, attempts] of Map.groupBy(own, attempt => attempt.route)) {
      const { facts } = this.#seriesOf(record, record.capability_id, route)
      for (const [fact, times] of routeFacts(attempts)) addFact(facts, fact, times)
    }
  }

  /** Returns and resets the counters, for each span of time: by caller, and for all callers together. */
  take(): StatsRows {
    const outcomes = new Map<string, OutcomeRow>()
    const durations = new Map<string, DurationRow>()
    const facts = new Map<string, FactRow>()
    for (const collected of this.#collected.values()) {
      for (const key of keysOf(collected)) {
        const id = JSON.stringify(key)
        addOutcomes(outcomes, id, key, collected)
        addTimes(durations, id, key, collected)
        addFacts(facts, id, key, collected)
      }
    }
    this.#collected = new Map()
    this.#last.whole = null
    this.#last.route = null
    return {
      outcomes: [...outcomes.values()],
      durations: [...durations.values()],
      facts: [...facts.values()],
    }
  }

  #seriesOf(
    { time, caller }: RequestRecord,
    capability_id: string | null,
    route: string,
  ): Collected {
    const key = {
      bucket: time - (time % MINUTE),
      caller,
      capability_id: capability_id ?? '',
      route,
    }
    const place = route === WHOLE_REQUEST ? 'whole' : 'route'
    const last = this.#last[place]
    if (last && isOf(last, key)) return last
    const id = `${key.bucket} ${route} ${key.capability_id} ${caller}`
    const series = this.#collected.get(id) ?? createSeries(key)
    this.#collected.set(id, series)
    this.#last[place] = series
    return series
  }
}

type Key = Omit<SeriesKey, 'span'>

function isOf(series: Collected, { bucket, caller, capability_id, route }: Key): boolean {
  return (
    series.bucket === bucket &&
    series.route === route &&
    series.capability_id === capability_id &&
    series.caller === caller
  )
}

function createSeries({ bucket, caller, capability_id, route }: Key): Collected {
  return {
    bucket,
    caller,
    capability_id,
    route,
    outcomes: new Map(),
    facts: new Map(),
    durations: noDurations(),
  }
}

function count(
  { outcomes, durations }: Collected,
  outcome: string,
  ms: number | undefined,
  isFallback: boolean,
): void {
  let counted = outcomes.get(outcome)
  if (counted === undefined) {
    counted = { count: 0, fallbacks: 0 }
    outcomes.set(outcome, counted)
  }
  counted.count++
  if (isFallback) counted.fallbacks++
  if (ms === undefined) return
  const bin = binOf(ms)
  durations.bins[bin] = (durations.bins[bin] ?? 0) + 1
  durations.min = Math.min(durations.min, ms)
  durations.max = Math.max(durations.max, ms)
}

/** The reason of almost all requests: counting it would double the rows of a quiet minute. */
const USUAL = 'CARD_PREFERRED'

/** Counts each reason once: that of the request, and those for which it skipped routes. */
function countReasons(
  { facts }: Collected,
  { envelope: { meta }, answerFrom }: RequestRecord,
): void {
  const { reason, attempts } = meta
  if (reason === USUAL && attempts.length === 1) return
  const skips = answerFrom?.borrowed ? [] : attempts.map(attempt => attempt.reason)
  for (const one of new Set([reason, ...skips])) {
    if (one && one !== USUAL) addFact(facts, one, 1)
  }
}

function routeFacts(attempts: readonly Attempt[]): readonly [RouteFact, number][] {
  const times = { success: 0, error: 0, skipped: 0 }
  for (const { status } of attempts) times[status]++
  return [
    ['failed', Math.min(times.error, 1)],
    ['skipped', Math.min(times.skipped, 1)],
    ['again', Math.max(times.success + times.error - 1, 0)],
  ]
}

function addFact(facts: Map<string, number>, fact: string, times: number): void {
  if (times > 0) facts.set(fact, (facts.get(fact) ?? 0) + times)
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

function addFacts(
  rows: Map<string, FactRow>,
  id: string,
  key: SeriesKey,
  { facts }: Collected,
): void {
  for (const [fact, times] of facts) {
    const row = rows.get(`${id} ${fact}`) ?? { ...key, fact, count: 0 }
    rows.set(`${id} ${fact}`, row)
    row.count += times
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
