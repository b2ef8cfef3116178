import type { Engine } from '../engine/engine.ts'
import type { Unavailable } from '../model/adapter.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Identity } from '../model/credential.ts'
import type { Route } from '../model/route.ts'
import { exhaustedUntil } from '../state/pools.ts'
import type { RouteHealth } from './plan.ts'

export type Health = ReadonlyMap<Route, RouteHealth>

/**
 * Collects the current state of a card's routes, for one credential.
 * @param only looks at this route alone; null at all.
 */
export function createHealth(
  engine: Engine,
  card: Card,
  credential: Identity | null,
  only: Route | null,
): Health | Promise<Health> {
  const routes = only === null ? card.routes : card.routes.filter(({ route }) => route === only)
  const found = routes.map(({ call }) => call.unavailable())
  const collect = (unavailable: readonly (Unavailable | null)[]) => {
    const health = new Map<Route, RouteHealth>()
    routes.forEach((route, index) => {
      const known = unavailable[index] ?? null
      health.set(route.route, healthOf(engine, card, route, credential, known))
    })
    return health
  }
  // Most answer synchronously: don't spend a turn of the event loop on them.
  if (isKnown(found)) return collect(found)
  return Promise.all(found.map(one => Promise.resolve(one))).then(collect)
}

type Found = ReturnType<CardRoute['call']['unavailable']>

function isKnown(found: readonly Found[]): found is readonly (Unavailable | null)[] {
  return !found.some(one => one instanceof Promise)
}

function healthOf(
  engine: Engine,
  { upstream }: Card,
  route: CardRoute,
  credential: Identity | null,
  unavailable: Unavailable | null,
): RouteHealth {
  const { state, clock } = engine
  const { pool, breaker, needs } = route
  const now = clock.now()
  const quota = pool === null ? undefined : state.pools.stateOf(pool, credential?.id ?? '')
  const exhausted = exhaustedUntil(quota, now)
  const open = state.breakers.openUntil(breaker, now)
  return {
    unavailable,
    lacking: upstream.credentials.lacking(credential, needs),
    pool,
    quotaInMs: exhausted === null ? null : exhausted - now,
    circuitInMs: open === null ? null : open - now,
    state: {
      pool,
      remaining: quota?.remaining ?? null,
      reset_at: quota?.resetTime ?? null,
      breaker: state.breakers.kindOf(breaker, now),
    },
  }
}
