/** Metrics of the services behind the gateway, read from the engine at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Bulkhead } from '../model/adapter.ts'
import type { BreakerKind } from '../model/breaker.ts'
import { describeUpstreams, type UpstreamStatus } from './upstream-status.ts'

type RouteStatus = UpstreamStatus['routes'][number]
type PoolStatus = UpstreamStatus['pools'][number]

const BREAKER_STATES = { closed: 0, half_open: 1, open: 2 } as const satisfies Record<
  BreakerKind,
  number
>

/** Each gauge reads the upstreams itself, because a scrape collects all gauges at the same time. */
export function readUpstreams(registry: Registry, engine: Engine): void {
  readQuotas(registry, engine)
  readRetryBudget(registry, engine)
  readRoutes(registry, engine)
}

/** The value of each gauge, from the state of a quota; null where the upstream has not reported it. */
const QUOTAS: readonly [name: string, help: string, (pool: PoolStatus) => number | null][] = [
  [
    'signalbox_quota_remaining',
    'What is left of a quota, as the upstream last reported it.',
    ({ remaining }) => remaining,
  ],
  ['signalbox_quota_limit', 'Size of a quota, as the upstream reports it.', ({ limit }) => limit],
  [
    'signalbox_quota_reset_timestamp_seconds',
    'When a quota is full again, as Unix time.',
    ({ reset_at }) => (reset_at === null ? null : Date.parse(reset_at) / 1000),
  ],
]

function readQuotas(registry: Registry, engine: Engine): void {
  for (const [name, help, valueOf] of QUOTAS) {
    new Gauge({
      name,
      help,
      labelNames: ['pool', 'credential'],
      // Workers know the same quotas, and one of them may be a moment behind.
      aggregator: name === 'signalbox_quota_remaining' ? 'min' : 'max',
      registers: [registry],
      async collect() {
        this.reset()
        const upstreams = await describeUpstreams(engine, { operator: false })
        for (const status of upstreams.flatMap(({ pools }) => pools)) {
          const value = valueOf(status)
          const { pool, credential } = status
          if (value !== null) this.set({ pool, credential: credential ?? 'none' }, value)
        }
      },
    })
  }
}

function readRetryBudget(registry: Registry, { upstreams, state: { retryBudget } }: Engine): void {
  new Gauge({
    name: 'signalbox_retry_budget',
    help: 'How many retries the gateway may make now, for all calls of an upstream together.',
    labelNames: ['upstream'],
    registers: [registry],
    collect() {
      for (const { upstream } of upstreams()) {
        this.set({ upstream: upstream.id }, retryBudget.left(upstream.id))
      }
    },
  })
}

interface RouteState extends Pick<RouteStatus, 'bulkhead' | 'breaker'> {
  readonly labels: { readonly upstream: string; readonly route: string }
}

function readRoutes(registry: Registry, engine: Engine): void {
  const registers = [registry]
  const routes = async (): Promise<readonly RouteState[]> => {
    const upstreams = await describeUpstreams(engine, { operator: false })
    return upstreams.flatMap(({ id, routes: own }) =>
      own.map(({ route, bulkhead, breaker }) => ({
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
  readWaits(registry, routes)
  new Gauge({
    name: 'signalbox_breaker_state',
    help: 'State of a circuit breaker: 0 closed, 1 half open, 2 open.',
    aggregator: 'max',
    labelNames: ['upstream', 'route'],
    registers,
    async collect() {
      for (const { labels, breaker } of await routes()) {
        this.set(labels, BREAKER_STATES[breaker.state])
      }
    },
  })
}

/** The totals that each connection counts from its start; undefined where it has none. */
const WAITS: readonly [name: string, help: string, (bulkhead: Bulkhead) => number | undefined][] = [
  [
    'signalbox_bulkhead_waits_total',
    'Calls that had to wait for a free socket or process.',
    ({ waited }) => waited,
  ],
  [
    'signalbox_bulkhead_wait_seconds_total',
    'How long all calls together waited for a free socket or process.',
    ({ waited_ms }) => waited_ms / 1000,
  ],
  [
    'signalbox_bulkhead_refusals_total',
    'Calls that no socket or process was free for in time.',
    ({ refused }) => refused,
  ],
  ['signalbox_programs_started_total', 'Programs started.', ({ started }) => started],
  [
    'signalbox_program_start_seconds_total',
    'How long starting programs took, from asking for each to its start.',
    ({ starting_ms }) => (starting_ms === undefined ? undefined : starting_ms / 1000),
  ],
]

function readWaits(registry: Registry, routes: () => Promise<readonly RouteState[]>): void {
  for (const [name, help, valueOf] of WAITS) {
    const counter = new Counter({
      name,
      help,
      labelNames: ['upstream', 'route'],
      registers: [registry],
      async collect() {
        const states = await routes()
        counter.reset()
        for (const { labels, bulkhead } of states) {
          const value = bulkhead ? valueOf(bulkhead) : undefined
          if (value !== undefined) counter.inc(labels, value)
        }
      },
    })
  }
}
