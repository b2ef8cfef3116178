import type { Engine } from '../engine/engine.ts'
import type { Bulkhead, Unavailable } from '../model/adapter.ts'
import { breakerKey } from '../model/breaker.ts'
import type { Card, ConnectedUpstream } from '../model/card.ts'
import { createCredential } from '../model/credential.ts'
import type { Route } from '../model/route.ts'
import type { PoolState } from '../state/pools.ts'

/** What the gateway knows of one service at this moment. */
export interface UpstreamStatus {
  readonly id: string
  readonly description: string | null
  readonly routes: readonly RouteStatus[]
  readonly pools: readonly PoolStatus[]
}

export interface RouteStatus {
  readonly route: Route
  /** Why it cannot be used here, and what would help; null when it can. */
  readonly unavailable: Unavailable | null
  readonly breaker: BreakerStatus
  /** How many calls run at once and wait; null where there is no bound. */
  readonly bulkhead: Bulkhead | null
}

export interface BreakerStatus {
  readonly state: 'closed' | 'open' | 'half_open'
  /** Counted towards opening, while it is closed. */
  readonly failures: number
  /** Until the next request is let through; null when it is now. */
  readonly retry_after_ms: number | null
}

/** A quota as last reported by the upstream, for one credential. */
export interface PoolStatus {
  readonly pool: string
  /** Twelve digits of a hash; null when no answer has told yet. */
  readonly credential: string | null
  readonly limit: number | null
  readonly remaining: number | null
  readonly reset_at: string | null
  readonly reset_in_ms: number | null
  /** Not asked again before the reset. */
  readonly exhausted: boolean
}

/** @param ownOnly leaves out the quotas of credentials that callers brought along. */
export async function describeUpstreams(
  engine: Engine,
  ownOnly: boolean,
): Promise<readonly UpstreamStatus[]> {
  return await Promise.all(
    engine.upstreams().map(async ({ upstream, connections }) => ({
      id: upstream.id,
      description: upstream.description,
      routes: await Promise.all(
        [...connections].map(async ([route, connection]) => ({
          route,
          unavailable: await unavailable(engine, upstream.id, route),
          breaker: describeBreaker(engine, breakerKey(upstream.id, route)),
          bulkhead: connection.bulkhead?.() ?? null,
        })),
      ),
      pools: describePools(engine, upstream, ownOnly),
    })),
  )
}

/** A route is as available as the first card that uses it: what differs between cards is in their plans. */
async function unavailable(
  { catalog }: Engine,
  upstream: string,
  route: Route,
): Promise<Unavailable | null> {
  const ofUpstream = (card: Card) => card.upstream.id === upstream
  const cards = catalog.all().filter(ofUpstream)
  const [call] = cards.flatMap(card => card.routes.filter(one => one.route === route))
  return (await call?.call.unavailable()) ?? null
}

export function describeBreaker({ state, clock }: Engine, key: string): BreakerStatus {
  const now = clock.now()
  const until = state.breakers.openUntil(key, now)
  return {
    state: state.breakers.kindOf(key, now),
    failures: state.breakers.failuresOf(key),
    retry_after_ms: until === null ? null : until - now,
  }
}

function describePools(
  { state, clock }: Engine,
  { id, pools, token }: ConnectedUpstream['upstream'],
  ownOnly: boolean,
): PoolStatus[] {
  // By name: whoever looks again finds each where it was.
  const known = state.pools
    .all()
    .filter(({ pool }) => pool.startsWith(`${id}:`))
    .toSorted((a, b) => a.pool.localeCompare(b.pool))
  const own = token === null ? '' : createCredential(token, 'environment').id
  const seen = ownOnly ? known.filter(({ credential }) => credential === own) : known
  const silent = pools
    .map(name => `${id}:${name}`)
    .filter(name => !seen.some(({ pool }) => pool === name))
  return [...seen.map(pool => describePool(pool, clock.now())), ...silent.map(untold)]
}

function describePool(
  { pool, credential, limit, remaining, resetAt, resetTime }: PoolState,
  now: number,
) {
  const ahead = resetAt !== null && resetAt > now
  return {
    pool,
    credential: credential || null,
    limit,
    remaining,
    reset_at: resetTime,
    reset_in_ms: ahead ? resetAt - now : null,
    exhausted: remaining === 0 && ahead,
  }
}

function untold(pool: string): PoolStatus {
  return {
    pool,
    credential: null,
    limit: null,
    remaining: null,
    reset_at: null,
    reset_in_ms: null,
    exhausted: false,
  }
}
