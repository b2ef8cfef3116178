import { BoundedMap } from '../lib/bounded-map.ts'
import { poolName } from '../model/pool.ts'
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
  /** How often a report showed that more is left than was known, in this window. @default 0 */
  readonly raised?: number
}

/** Each credential that callers send adds its own pools. */
const MOST_POOLS = 10_000
/** How long an exhausted pool without a reset time is not used. */
const DEFAULT_WAIT_MS = 60_000
/** Two replies may report the same reset this far apart: their `Date` has whole seconds, and their latency differs. */
const SAME_RESET_MS = 2_000

/**
 * The quotas that upstreams have reported, for each credential. The plan skips routes with an exhausted pool until
 * its reset, before the upstream has to refuse them.
 */
export class Pools {
  readonly #states = new BoundedMap<string, PoolState>(MOST_POOLS)
  /** Called when an upstream reports a quota to this gateway. */
  onChange: ((state: PoolState) => void) | null = null
  /** Called with the key of each pool that an operator has reset. */
  onForget: ((key: string) => void) | null = null

  observe(pool: string, credential: string, reading: QuotaReading, now: number): void {
    const key = poolKey(pool, credential)
    const { limit, remaining } = reading
    const resetAt = reading.resetAt ?? (remaining === 0 ? now + DEFAULT_WAIT_MS : null)
    const before = this.#states.get(key)
    const sameWindow = before !== undefined && isSameWindow(before.resetAt, resetAt, now)
    // Replies may overtake each other. Within one window, the lowest count is the newest.
    if (sameWindow && before.remaining <= remaining) return
    const state = sameWindow
      ? { ...before, limit, remaining }
      : { pool, credential, limit, remaining, resetAt, resetTime: timeOf(resetAt) }
    this.#states.set(key, state)
    this.onChange?.(state)
  }

  /** Takes over what a request for the quotas themselves reported, which knows more than single answers do. */
  observeReport(pool: string, credential: string, reading: QuotaReading, now: number): void {
    const before = this.stateOf(pool, credential)
    if (before === undefined) return this.observe(pool, credential, reading, now)
    if (!isSameWindow(before.resetAt, reading.resetAt, now)) {
      // A service also refuses for reasons that its report does not count, such as too many requests at once.
      if (exhaustedUntil(before, now) === null) this.observe(pool, credential, reading, now)
      return
    }
    const { limit, remaining } = reading
    if (remaining <= before.remaining) return this.observe(pool, credential, reading, now)
    // Answers that overtook the report are newer than it, and matter only if nothing was left, or the quota has grown.
    if (before.remaining > 0 && before.limit === limit) return
    const state = { ...before, limit, remaining, raised: raisedOf(before) + 1 }
    this.#states.set(poolKey(pool, credential), state)
    this.onChange?.(state)
  }

  /** Takes over a state from another gateway, unless the own one is newer. */
  adopt(state: PoolState, now: number): void {
    const key = poolKey(state.pool, state.credential)
    const before = this.#states.get(key)
    if (before && isNewer(before, state, now)) return
    this.#states.set(key, state)
  }

  /** Another gateway no longer knows the pool. */
  forget(key: string): void {
    this.#states.delete(key)
  }

  /** Forgets the quotas of an upstream. @returns the names of their pools */
  forgetAll(upstream: string): readonly string[] {
    const prefix = poolName(upstream, '')
    const known = this.all().filter(({ pool }) => pool.startsWith(prefix))
    for (const { pool, credential } of known) {
      const key = poolKey(pool, credential)
      this.#states.delete(key)
      this.onForget?.(key)
    }
    return [...new Set(known.map(({ pool }) => pool))]
  }

  stateOf(pool: string, credential: string): PoolState | undefined {
    return this.#states.get(poolKey(pool, credential))
  }

  /** @param key see `poolKey`. */
  stateAt(key: string): PoolState | undefined {
    return this.#states.get(key)
  }

  all(): readonly PoolState[] {
    return [...this.#states.values()]
  }
}

function raisedOf({ raised = 0 }: PoolState): number {
  return raised
}

/** The later window is newer. Within one window, the lowest count is, unless a report has shown more. */
function isNewer(one: PoolState, other: PoolState, now: number): boolean {
  if (isSameWindow(one.resetAt, other.resetAt, now)) {
    if (raisedOf(one) !== raisedOf(other)) return raisedOf(one) > raisedOf(other)
    return one.remaining <= other.remaining
  }
  return one.resetAt !== null && other.resetAt !== null && one.resetAt > other.resetAt
}

/** When the pool may be used again; null if it may be used now. */
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

/** The key of a pool: each credential has its own quota. */
export function poolKey(pool: string, credential: string): string {
  if (pool !== last.pool || credential !== last.credential)
    last = { pool, credential, key: `${pool} ${credential}` }
  return last.key
}

/** A call asks three times for the same key, and a text that was a key before is found faster. */
let last = { pool: '', credential: '', key: ' ' }
