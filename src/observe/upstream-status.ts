import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../engine/engine.ts'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { Bulkhead, Unavailable } from '../model/adapter.ts'
import { BREAKER_KINDS, breakerKey } from '../model/breaker.ts'
import type { Caller } from '../model/caller.ts'
import type { Card, CardRoute, ConnectedUpstream } from '../model/card.ts'
import { OneOf } from '../model/one-of.ts'
import { poolName } from '../model/pool.ts'
import type { Route } from '../model/route.ts'
import { nullable, RouteName } from '../model/schema-parts.ts'
import type { PoolState } from '../state/pools.ts'
import { CredentialStatus, describeCredentials } from './credential-status.ts'

const BreakerStatus = Type.Object({
  state: OneOf(BREAKER_KINDS, 'half_open: one request finds out whether the upstream is back.'),
  failures: Type.Integer({ description: 'Counted towards opening, while it is closed.' }),
  retry_after_ms: nullable(
    Type.Number({ description: 'Until the next request is sent; null when it is sent now.' }),
  ),
})
type BreakerStatus = DeepReadonly<Static<typeof BreakerStatus>>

const RouteStatus = Type.Object({
  route: RouteName,
  unavailable: nullable(Unavailable),
  breaker: BreakerStatus,
  bulkhead: nullable(Bulkhead),
})

/** A quota as last reported by the upstream, for one credential. */
const PoolStatus = Type.Object({
  pool: Type.String(),
  credential: nullable(
    Type.String({
      description:
        "The gateway's own, such as github:default, or twelve digits of a hash of a caller's; null while no answer has reported the quota.",
    }),
  ),
  limit: nullable(Type.Number()),
  remaining: nullable(
    Type.Number({ description: 'As last reported; null when it was never reported.' }),
  ),
  reset_at: nullable(Type.String({ description: 'RFC 3339, UTC.' })),
  reset_in_ms: nullable(Type.Number()),
  exhausted: Type.Boolean({ description: 'The pool is not used again before its reset.' }),
})
type PoolStatus = DeepReadonly<Static<typeof PoolStatus>>

/** The gateway's present knowledge of one service. */
export const UpstreamStatus = Type.Object({
  id: Type.String(),
  description: nullable(Type.String()),
  routes: Type.Array(RouteStatus),
  pools: Type.Array(PoolStatus),
  credentials: Type.Array(CredentialStatus),
})
export type UpstreamStatus = DeepReadonly<Static<typeof UpstreamStatus>>

/** An operator also sees the quotas of credentials that callers sent, and all credentials of the gateway. */
export async function describeUpstreams(
  engine: Engine,
  caller: Pick<Caller, 'operator' | 'credentials'>,
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
      pools: describePools(engine, upstream, !caller.operator),
      credentials: [...describeCredentials(engine, upstream, caller)],
    })),
  )
}

/** Asks the first card that uses the route. (Reasons that differ between cards are in their plans.) */
async function unavailable(
  { catalog }: Engine,
  upstream: string,
  route: Route,
): Promise<Unavailable | null> {
  const ofUpstream = (card: Card) => card.upstream.id === upstream
  const serves = (one: CardRoute) => one.route === route
  const card = catalog.all().find(one => ofUpstream(one) && one.routes.some(serves))
  return (await card?.routes.find(serves)?.call.unavailable()) ?? null
}

function describeBreaker({ state, clock }: Engine, key: string): BreakerStatus {
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
  { id, pools, credentials }: ConnectedUpstream['upstream'],
  ownOnly: boolean,
): PoolStatus[] {
  // Sorted by name, so that a reader who reloads finds each in its place.
  const known = state.pools
    .all()
    .filter(({ pool }) => pool.startsWith(poolName(id, '')))
    .toSorted((a, b) => a.pool.localeCompare(b.pool))
  const isOwn = (credential: string) => credential === '' || credentials.owns(credential)
  const seen = ownOnly ? known.filter(({ credential }) => isOwn(credential)) : known
  const unreported = pools
    .map(name => poolName(id, name))
    .filter(name => !seen.some(({ pool }) => pool === name))
  return [
    ...seen.map(pool => describePool(pool, clock.now())),
    ...unreported.map(describeUnreported),
  ]
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

function describeUnreported(pool: string): PoolStatus {
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
