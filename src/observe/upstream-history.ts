import type { Engine } from '../engine/engine.ts'
import {
  CIRCUIT_STATES,
  type CircuitSample,
  type HistoryRows,
  minuteOf,
  type QuotaSample,
} from '../journal/history.ts'
import { breakerKey } from '../model/breaker.ts'
import { poolName } from '../model/pool.ts'
import { type PoolState, poolKey } from '../state/pools.ts'

/** Shorter than the shortest time that a circuit stays open. */
const SAMPLE_EVERY_MS = 2000

type Observed = Pick<Engine, 'upstreams' | 'state' | 'clock' | 'journal'>

/** Records quotas and circuits beside the requests, as long as the gateway runs. */
export function keepUpstreamHistory(engine: Observed): Disposable {
  const sampler = new UpstreamSampler(engine)
  const timer = setInterval(() => {
    const rows = sampler.sample()
    if (rows.quotas.length + rows.circuits.length > 0) void engine.journal.noteUpstreams(rows)
  }, SAMPLE_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Finds what has changed since the last sample, so that a quiet gateway records nothing. */
export class UpstreamSampler {
  readonly #engine: Omit<Observed, 'journal'>
  /** The last sample of each quota and circuit. */
  readonly #quotas = new Map<string, QuotaSample>()
  readonly #circuits = new Map<string, CircuitSample>()

  constructor(engine: Omit<Observed, 'journal'>) {
    this.#engine = engine
  }

  sample(): HistoryRows {
    const now = this.#engine.clock.now()
    const upstreams = this.#engine.upstreams().map(({ upstream }) => upstream)
    return {
      quotas: upstreams.flatMap(upstream => this.#sampleQuotas(upstream, now)),
      circuits: upstreams.flatMap(({ id }) => this.#sampleCircuits(id, now)),
    }
  }

  /** Those of the gateway's own credentials: callers may bring any number of others. */
  #sampleQuotas(
    { id, credentials }: ReturnType<Engine['upstreams']>[number]['upstream'],
    now: number,
  ): QuotaSample[] {
    const prefix = poolName(id, '')
    return this.#engine.state.pools.all().flatMap(state => {
      const { pool, credential } = state
      if (!pool.startsWith(prefix) || (credential !== '' && !credentials.owns(credential)))
        return []
      const key = poolKey(pool, credential)
      const sample = toSample(id, state, now)
      if (!isNews(this.#quotas.get(key), sample)) return []
      this.#quotas.set(key, sample)
      return [sample]
    })
  }

  #sampleCircuits(upstream: string, now: number): CircuitSample[] {
    const { breakers } = this.#engine.state
    const prefix = breakerKey(upstream, '')
    return breakers.unsettled().flatMap(key => {
      const kind = breakers.kindOf(key, now)
      if (!key.startsWith(prefix) || kind === 'closed') return []
      const route = key.slice(prefix.length)
      const sample = { upstream, bucket: minuteOf(now), route, state: CIRCUIT_STATES[kind] }
      const last = this.#circuits.get(key)
      if (last?.bucket === sample.bucket && last.state >= sample.state) return []
      this.#circuits.set(key, sample)
      return [sample]
    })
  }
}

function toSample(upstream: string, state: PoolState, now: number): QuotaSample {
  return {
    upstream,
    bucket: minuteOf(now),
    pool: state.pool,
    credential: state.credential,
    at: now,
    remaining: state.remaining,
    quota_limit: state.limit,
    reset_at: state.resetAt === null ? null : Math.round(state.resetAt),
  }
}

/** At most one change a minute, but at once when a quota is used up, or no longer is. */
function isNews(last: QuotaSample | undefined, sample: QuotaSample): boolean {
  if (!last) return true
  const { remaining, quota_limit, reset_at } = sample
  const changed =
    last.remaining !== remaining || last.quota_limit !== quota_limit || last.reset_at !== reset_at
  const turned = (last.remaining === 0) !== (remaining === 0)
  return changed && (turned || last.bucket !== sample.bucket)
}
