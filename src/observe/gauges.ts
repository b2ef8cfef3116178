/** Metrics that are read from the engine at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { BreakerKind } from '../model/breaker.ts'
import { describeUpstreams } from './upstream-status.ts'

export function readJournal(registry: Registry, { journal }: Engine): void {
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
    help: '1 while the journal can be written, else 0.',
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

export function readShared(registry: Registry, { state: { shared } }: Engine): void {
  if (!shared) return
  new Gauge({
    name: 'signalbox_shared_state_healthy',
    help: '1 while the state that gateways share can be reached, else 0.',
    registers: [registry],
    collect() {
      this.set(shared.health().ok ? 1 : 0)
    },
  })
}

/** Gateways that share a Redis have no answers of their own. */
export function readKept(registry: Registry, { state: { keptAnswers, shared } }: Engine): void {
  if (shared) return
  const registers = [registry]
  new Gauge({
    name: 'signalbox_kept_answers',
    help: 'Answers in memory, for callers who allow it.',
    registers,
    collect() {
      this.set(keptAnswers.own.count)
    },
  })
  new Gauge({
    name: 'signalbox_kept_answers_bytes',
    help: 'Bytes of the answers in memory.',
    registers,
    collect() {
      this.set(keptAnswers.own.bytes)
    },
  })
}

const BREAKER_STATES = { closed: 0, half_open: 1, open: 2 } as const satisfies Record<
  BreakerKind,
  number
>

/** Each gauge reads the upstreams itself, because a scrape collects all gauges at the same time. */
export function readUpstreams(registry: Registry, engine: Engine): void {
  new Gauge({
    name: 'signalbox_quota_remaining',
    help: 'What is left of a quota, as the upstream last reported it.',
    labelNames: ['pool'],
    registers: [registry],
    async collect() {
      const upstreams = await describeUpstreams(engine, true)
      for (const { pool, remaining } of upstreams.flatMap(({ pools }) => pools)) {
        if (remaining !== null) this.set({ pool }, remaining)
      }
    },
  })
  readRoutes(registry, engine)
}

function readRoutes(registry: Registry, engine: Engine): void {
  const registers = [registry]
  const routes = async () => {
    const upstreams = await describeUpstreams(engine, true)
    return upstreams.flatMap(({ id, routes }) =>
      routes.map(({ route, bulkhead, breaker }) => ({
        labels: { upstream: id, route },
        bulkhead,
        breaker,
      })),
    )
  }
  new Gauge({
    name: 'signalbox_bulkhead_calls',
    help: 'Calls that are running, and calls that wait for one to end.',
    labelNames: ['upstream', 'route', 'state'],
    registers,
    async collect() {
      for (const { labels, bulkhead } of await routes()) {
        if (!bulkhead) continue
        this.set({ ...labels, state: 'running' }, bulkhead.running)
        this.set({ ...labels, state: 'waiting' }, bulkhead.waiting)
      }
    },
  })
  new Gauge({
    name: 'signalbox_breaker_state',
    help: 'State of a circuit breaker: 0 closed, 1 half open, 2 open.',
    labelNames: ['upstream', 'route'],
    registers,
    async collect() {
      for (const { labels, breaker } of await routes()) {
        this.set(labels, BREAKER_STATES[breaker.state])
      }
    },
  })
}
