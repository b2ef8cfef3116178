import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { RequestRecord } from '../journal/journal.ts'
import { Batched } from '../lib/batched.ts'
import type { BreakerKind } from '../model/breaker.ts'
import type { Meta } from '../model/envelope.ts'
import { describeUpstreams } from './upstream-status.ts'

/** The gateway in Prometheus' text form. */
export interface Metrics {
  readonly contentType: string
  expose(): Promise<string>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Counting in a row keeps the code of the library, which is not small, out of the way of each answer. */
const COUNTED_AT_ONCE = 64
const BREAKER_STATES = { closed: 0, half_open: 1, open: 2 } as const satisfies Record<
  BreakerKind,
  number
>

/**
 * Counts what the engine finishes, and reads the rest when it is asked for. Labels come from closed sets
 * and from cards, never from callers; quotas are those of the gateway's own credentials.
 */
export function createMetrics(engine: Engine): Metrics {
  const registry = new Registry()
  const finished = new Batched(countRequests(registry), COUNTED_AT_ONCE)
  engine.observers.add(
    ({ envelope: { error, meta }, capability_id, upstream, borrowed = false }) => {
      finished.add({ capability_id, upstream, borrowed, code: error?.code ?? 'ok', meta })
    },
  )
  readJournal(registry, engine)
  readShared(registry, engine)
  readUpstreams(registry, engine)
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    expose: () => {
      finished.flush()
      return registry.metrics()
    },
  }
}

/** A finished request without its data, which is not to be kept in memory for this. */
interface Finished extends Pick<RequestRecord, 'capability_id' | 'upstream'> {
  readonly borrowed: boolean
  readonly code: string
  readonly meta: Meta
}

function countRequests(registry: Registry): (finished: Finished) => void {
  const registers = [registry]
  const requests = new Counter({
    name: 'signalbox_requests_total',
    help: 'Requests answered. code is ok or the error code, route the one that answered.',
    labelNames: ['capability', 'code', 'route'],
    registers,
  })
  const durations = new Histogram({
    name: 'signalbox_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['capability'],
    buckets: SECONDS,
    registers,
  })
  const attempts = new Histogram({
    name: 'signalbox_attempt_duration_seconds',
    help: 'Time of one call on a route. outcome is success or the error code.',
    labelNames: ['upstream', 'route', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const skips = new Counter({
    name: 'signalbox_routes_skipped_total',
    help: 'Routes that were passed over.',
    labelNames: ['upstream', 'route', 'reason'],
    registers,
  })
  return ({ capability_id, upstream, borrowed, code, meta }) => {
    const capability = capability_id ?? 'none'
    requests.inc({ capability, code, route: meta.route_used ?? 'none' })
    durations.observe({ capability }, meta.duration_ms / 1000)
    if (borrowed || upstream === null) return
    for (const { route, status, error_code, reason, duration_ms = 0 } of meta.attempts) {
      if (status === 'skipped') skips.inc({ upstream, route, reason: reason ?? 'none' })
      else
        attempts.observe({ upstream, route, outcome: error_code ?? 'success' }, duration_ms / 1000)
    }
  }
}

function readJournal(registry: Registry, { journal }: Engine): void {
  const registers = [registry]
  new Gauge({
    name: 'signalbox_journal_waiting_records',
    help: 'Records in memory that are not written yet.',
    registers,
    collect() {
      this.set(journal.health().waiting)
    },
  })
  new Gauge({
    name: 'signalbox_journal_healthy',
    help: '1 while the journal can be written.',
    registers,
    collect() {
      this.set(journal.health().ok ? 1 : 0)
    },
  })
  const dropped = new Counter({
    name: 'signalbox_journal_dropped_records_total',
    help: 'Records lost because they could not be written and the buffer was full.',
    registers,
    collect() {
      dropped.reset()
      dropped.inc(journal.health().dropped)
    },
  })
}

function readShared(registry: Registry, { state: { shared } }: Engine): void {
  if (!shared) return
  new Gauge({
    name: 'signalbox_shared_state_healthy',
    help: '1 while what gateways share can be reached.',
    registers: [registry],
    collect() {
      this.set(shared.health().ok ? 1 : 0)
    },
  })
}

/** Each gauge asks for itself: they are collected at the same time. */
function readUpstreams(registry: Registry, engine: Engine): void {
  const registers = [registry]
  const upstreams = () => describeUpstreams(engine, true)
  new Gauge({
    name: 'signalbox_quota_remaining',
    help: 'What is left of a quota, as the upstream last reported it.',
    labelNames: ['pool'],
    registers,
    async collect() {
      for (const { pool, remaining } of (await upstreams()).flatMap(({ pools }) => pools)) {
        if (remaining !== null) this.set({ pool }, remaining)
      }
    },
  })
  new Gauge({
    name: 'signalbox_bulkhead_calls',
    help: 'Calls that run, and that wait for one to end.',
    labelNames: ['upstream', 'route', 'state'],
    registers,
    async collect() {
      for (const { id: upstream, routes } of await upstreams()) {
        for (const { route, bulkhead } of routes) {
          if (!bulkhead) continue
          this.set({ upstream, route, state: 'running' }, bulkhead.running)
          this.set({ upstream, route, state: 'waiting' }, bulkhead.waiting)
        }
      }
    },
  })
  new Gauge({
    name: 'signalbox_breaker_state',
    help: 'Circuit breakers: 0 closed, 1 half open, 2 open.',
    labelNames: ['upstream', 'route'],
    registers,
    async collect() {
      for (const { id: upstream, routes } of await upstreams()) {
        for (const { route, breaker } of routes) {
          this.set({ upstream, route }, BREAKER_STATES[breaker.state])
        }
      }
    },
  })
}
