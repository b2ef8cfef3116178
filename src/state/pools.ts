import type { QuotaReading } from '../outcome.ts'

/** A quota as last reported. Times are epoch milliseconds. */
export interface PoolState {
  readonly pool: string
  readonly credential: string
  readonly limit: number | null
  readonly remaining: number
  readonly resetAt: number | null
}

/** Pools remembered at most: one for each credential that passes through. */
const MOST_POOLS = 10_000
/** How long an exhausted pool without a reset time is left alone. */
const DEFAULT_WAIT_MS = 60_000

/**
 * What upstreams have said about quotas, for each credential. Lets the plan avoid a pool before the
 * upstream has to refuse: an exhausted pool is not asked again before its reset.
 */
export class Pools {
  readonly #states = new Map<string, PoolState>()

  observe(pool: string, credential: string, reading: QuotaReading, now: number): void {
    const key = keyOf(pool, credential)
    const { limit, remaining } = reading
    const resetAt = reading.resetAt ?? (remaining === 0 ? now + DEFAULT_WAIT_MS : null)
    // Answers overtake each other; within one window, the lowest count is the newest.
    const before = this.#states.get(key)
    const stale =
      before?.resetAt != null && before.resetAt === resetAt && before.remaining < remaining
    if (stale) return
    this.#states.delete(key)
    this.#states.set(key, { pool, credential, limit, remaining, resetAt })
    if (this.#states.size > MOST_POOLS) {
      const [oldest] = this.#states.keys()
      if (oldest !== undefined) this.#states.delete(oldest)
    }
  }

  /** When the pool may be asked again, or null when it may be asked now. */
  exhaustedUntil(pool: string, credential: string, now: number): number | null {
    const state = this.#states.get(keyOf(pool, credential))
    if (!state || state.remaining > 0 || state.resetAt === null) return null
    return state.resetAt > now ? state.resetAt : null
  }

  stateOf(pool: string, credential: string): PoolState | undefined {
    return this.#states.get(keyOf(pool, credential))
  }

  all(): readonly PoolState[] {
    return [...this.#states.values()]
  }
}

function keyOf(pool: string, credential: string): string {
  return `${pool} ${credential}`
}
