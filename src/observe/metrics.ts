import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { RequestRecord } from '../journal/journal.ts'
import { Batched } from '../lib/batched.ts'
import type { Meta } from '../model/envelope.ts'
import { REFUSAL_REASONS, type RefusalReason, refusalReasonOf } from '../model/refusal-reason.ts'
import { createAttemptCounters } from './attempt-counters.ts'
import { readCredentials } from './credential-gauges.ts'
import { readApprovals, readBuild, readJournal, readKept, readShared } from './gauges.ts'
import { readUpstreams } from './upstream-gauges.ts'

/** The gateway's metrics in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string
  expose(): Promise<string>
  /** The same as objects, to be added to those of other workers. */
  samples(): Promise<Awaited<ReturnType<Registry['getMetricsAsJSON']>>>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** The library is slow: to count many requests in a row costs each of them less. */
const COUNTED_AT_ONCE = 64

/**
 * Counts the requests that the engine finishes, and reads everything else when it is scraped. Labels come from closed
 * sets and from cards, never from callers. Quotas are those of the gateway's own credentials.
 */
export function createMetrics(engine: Engine): Metrics {
  const registry = new Registry()
  const finished = new Batched(countRequests(registry), COUNTED_AT_ONCE)
  engine.observers.add(({ envelope: { error, meta }, capability_id, upstream, answerFrom }) => {
    const borrowed = answerFrom?.borrowed === true
    const code = error?.code ?? 'ok'
    const unknown = error?.write_outcome === 'unknown'
    const refused = refusalReasonOf(error)
    finished.add({ capability_id, upstream, borrowed, code, unknown, refused, meta })
  })
  readJournal(registry, engine)
  readApprovals(registry, engine)
  readShared(registry, engine)
  readKept(registry, engine)
  readUpstreams(registry, engine)
  readCredentials(registry, engine)
  readBuild(registry)
  collectProcess(registry)
  return {
    contentType: registry.contentType,
    expose: () => {
      finished.flush()
      return registry.metrics()
    },
    samples: () => {
      finished.flush()
      return registry.getMetricsAsJSON()
    },
  }
}

/** Drops the library's gauges whose names promise counters: `nodejs_active_resources` counts the same things. */
function collectProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  }
}

/** A finished request without its data, which must not stay in memory until it is counted. */
interface Finished extends Pick<RequestRecord, 'capability_id' | 'upstream'> {
  readonly borrowed: boolean
  readonly code: string
  /** Whether a write ended without its outcome being known. */
  readonly unknown: boolean
  /** The limit for which the gateway itself refused it; null if it did not. */
  readonly refused: RefusalReason | null
  readonly meta: Meta
}

function countRequests(registry: Registry): (finished: Finished) => void {
  const { requests, durations, recalled, unknowns, refusals } = createCounters(registry)
  // A dashboard shows nothing for a counter that has no series yet.
  for (const reason of REFUSAL_REASONS) refusals.inc({ capability: 'none', reason }, 0)
  const countAttempts = createAttemptCounters(registry, SECONDS)
  return ({ capability_id, upstream, borrowed, code, unknown, refused, meta }) => {
    const capability = capability_id ?? 'none'
    requests.inc({ capability, code, route: meta.route_used ?? 'none' })
    durations.observe({ capability }, meta.duration_ms / 1000)
    if (refused !== null) refusals.inc({ capability, reason: refused })
    if (unknown) unknowns.inc({ capability })
    if (meta.reason === 'CACHE_HIT') recalled.inc({ capability, kind: kindOf(meta) })
    if (!borrowed && upstream !== null) countAttempts(meta.attempts, upstream)
  }
}

/** A stale answer comes with a warning. */
function kindOf({ warnings }: Meta): 'fresh' | 'stale' {
  return warnings.some(({ code }) => code === 'STALE_ANSWER') ? 'stale' : 'fresh'
}

function createCounters(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'signalbox_requests_total',
      help: 'Requests answered. code is ok or the error code; route is the one that answered.',
      labelNames: ['capability', 'code', 'route'],
      registers,
    }),
    durations: new Histogram({
      name: 'signalbox_request_duration_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['capability'],
      buckets: SECONDS,
      registers,
    }),
    unknowns: new Counter({
      name: 'signalbox_unknown_writes_total',
      help: 'Writes that ended without anybody knowing whether they were applied.',
      labelNames: ['capability'],
      registers,
    }),
    refusals: new Counter({
      name: 'signalbox_refused_total',
      help: 'Calls that the gateway itself refused, by the limit that they met. Nothing was sent.',
      labelNames: ['capability', 'reason'],
      registers,
    }),
    recalled: new Counter({
      name: 'signalbox_answers_from_memory_total',
      help: 'Calls answered from memory: fresh without a request, stale because every route failed.',
      labelNames: ['capability', 'kind'],
      registers,
    }),
  }
}
