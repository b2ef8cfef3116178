import type { QuotaReading } from '../model/reply.ts'

/** A quota as last reported. Times are epoch milliseconds. */
export interface PoolState {
  readonly pool: string
  readonly credential: string
  readonly limit: number | null
  readonly remaining: number
  readonly resetAt: number | null
  /** The same as RFC 3339, UTC. */
  readonly resetTime: string | null
}

/** Pools remembered at most: one for each credential that passes through. */
const MOST_POOLS = 10_000
/** How long an exhausted pool without a reset time is left alone. */
const DEFAULT_WAIT_MS = 60_000
/** The same moment, told by two answers: their `Date` is in whole seconds, and some take longer than others. */
const SAME_RESET_MS = 2_000

/**
 * What upstreams have said about quotas, for each credential. Lets the plan avoid a pool before the
 * upstream has to refuse: an exhausted pool is not asked again before its reset.
 */
export class Pools {
  readonly #states = new Map<string, PoolState>()
  /** Told of what an upstream has said to this gateway. */
  onChange: ((state: PoolState) => void) | null = null

  observe(pool: string, credential: string, reading: QuotaReading, now: number): void {
    const key = keyOf(pool, credential)
    const { limit, remaining } = reading
    const resetAt = reading.resetAt ?? (remaining === 0 ? now + DEFAULT_WAIT_MS : null)
    const before = this.#states.get(key)
    const sameWindow = before !== undefined && isSameWindow(before.resetAt, resetAt, now)
    // Answers overtake each other; within one window, the lowest count is the newest.
    if (sameWindow && before.remaining <= remaining) return
    const state = sameWindow
      ? { ...before, limit, remaining }
      : { pool, credential, limit, remaining, resetAt, resetTime: timeOf(resetAt) }
    // The one whose window began longest ago comes first.
    if (!sameWindow) this.#states.delete(key)
    this.#keep(key, state)
    this.onChange?.(state)
  }

  /** Takes over what another gateway has been told, unless what is known here is newer. */
  adopt(state: PoolState, now: number): void {
    const key = keyOf(state.pool, state.credential)
    const before = this.#states.get(key)
    if (before && isNewer(before, state, now)) return
    this.#keep(key, state)
  }

  stateOf(pool: string, credential: string): PoolState | undefined {
    return this.#states.get(keyOf(pool, credential))
  }

  all(): readonly PoolState[] {
    return [...this.#states.values()]
  }

  #keep(key: string, state: PoolState): void {
    this.#states.set(key, state)
    if (this.#states.size > MOST_POOLS) {
      const [oldest] = this.#states.keys()
      if (oldest !== undefined) this.#states.delete(oldest)
    }
  }
}

/** Windows follow each other; within one, the lowest count is the newest. */
function isNewer(one: PoolState, other: PoolState, now: number): boolean {
  if (isSameWindow(one.resetAt, other.resetAt, now)) return one.remaining <= other.remaining
  return one.resetAt !== null && other.resetAt !== null && one.resetAt > other.resetAt
}

/** When the pool may be asked again, or null when it may be asked now. */
export function exhaustedUntil(state: PoolState | undefined, now: number): number | null {
  if (!state || state.remaining > 0 || state.resetAt === null) return null
  return state.resetAt > now ? state.resetAt : null
}

function isSameWindow(one: number | null, other: number | null, now: number): boolean {
  if (one === null || other === null || one <= now) return false
  return Math.abs(one - other) < SAME_RESET_MS
}

function timeOf(resetAt: number | null): string | null {
  return resetAt === null ? null : new Date(resetAt).toISOString()
}

function keyOf(pool: string, credential: string): string {
  return `${pool} ${credential}`
}
