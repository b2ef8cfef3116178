import type { Attempt } from '../../envelope.ts'
import type { RequestRecord } from '../journal.ts'
import {
  ALL_CALLERS,
  type Counter,
  type CounterRow,
  SKIPPED,
  SPANS,
  SUCCESS,
  WHOLE_REQUEST,
} from './counters.ts'
import { BINS, binOf } from './histogram.ts'

const MINUTE = SPANS[0].ms

/** What was counted of one caller, capability, route and outcome in one minute. */
interface Collected extends Counter {
  readonly minute: number
  readonly caller: string
  readonly capability_id: string
  readonly route: string
  readonly outcome: string
}

/**
 * Counts requests and attempts in memory, to be written together now and then: a row that every request
 * updates would be a queue for all of them, and more so for several gateways on one database.
 */
export class StatsCollector {
  #collected = new Map<string, Collected>()

  get isEmpty(): boolean {
    return this.#collected.size === 0
  }

  add(record: RequestRecord): void {
    const { envelope } = record
    const { meta } = envelope
    const request = this.#counterOf(record, WHOLE_REQUEST, envelope.error?.code ?? SUCCESS)
    count(request, meta.duration_ms, meta.reason === 'CARD_FALLBACK')
    // Attempts made for another request were counted with that one.
    if (record.borrowed) return
    for (const attempt of meta.attempts) {
      const counter = this.#counterOf(record, attempt.route, outcomeOf(attempt))
      count(counter, attempt.duration_ms, attempt.next === 'next_route')
    }
  }

  /** Everything counted since the last time, for each span of time: by caller, and of all together. */
  take(): CounterRow[] {
    const rows = new Map<string, CounterRow>()
    for (const collected of this.#collected.values()) {
      const { minute, caller, capability_id, route, outcome } = collected
      for (const { ms: span } of SPANS) {
        const bucket = minute - (minute % span)
        for (const who of [caller, ALL_CALLERS]) {
          const key = { span, bucket, caller: who, capability_id, route, outcome }
          addTo(rows, key, collected)
        }
      }
    }
    this.#collected = new Map()
    return [...rows.values()]
  }

  #counterOf({ time, caller, capability_id }: RequestRecord, route: string, outcome: string) {
    const minute = time - (time % MINUTE)
    const key = `${minute} ${route} ${outcome} ${capability_id} ${caller}`
    const known = this.#collected.get(key)
    if (known) return known
    const begun: Collected = {
      minute,
      caller,
      capability_id: capability_id ?? '',
      route,
      outcome,
      ...createCounter(),
    }
    this.#collected.set(key, begun)
    return begun
  }
}

function count(counter: Counter, ms: number | undefined, fellBack: boolean): void {
  counter.count++
  if (fellBack) counter.fallbacks++
  if (ms === undefined) return
  const bin = binOf(ms)
  counter.bins[bin] = (counter.bins[bin] ?? 0) + 1
  counter.min = Math.min(counter.min, ms)
  counter.max = Math.max(counter.max, ms)
}

function addTo(rows: Map<string, CounterRow>, key: CounterRow['key'], added: Counter): void {
  const id = JSON.stringify(key)
  const row = rows.get(id) ?? { key, counter: createCounter() }
  rows.set(id, row)
  const { counter } = row
  counter.count += added.count
  counter.fallbacks += added.fallbacks
  counter.min = Math.min(counter.min, added.min)
  counter.max = Math.max(counter.max, added.max)
  added.bins.forEach((n, bin) => {
    counter.bins[bin] = (counter.bins[bin] ?? 0) + n
  })
}

/** Extremes that any duration replaces, and that every database can store. */
function createCounter(): Counter {
  return { count: 0, fallbacks: 0, min: 1e9, max: 0, bins: Array.from({ length: BINS }, () => 0) }
}

function outcomeOf({ status, error_code }: Attempt): string {
  if (status === 'error') return error_code ?? 'UNKNOWN'
  return status === 'skipped' ? SKIPPED : SUCCESS
}
