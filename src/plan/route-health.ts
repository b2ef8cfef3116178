import type { Engine } from '../engine/engine.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Identity } from '../model/credential.ts'
import type { Route } from '../model/route.ts'
import { exhaustedUntil } from '../state/pools.ts'
import type { RouteHealth } from './plan.ts'

/**
 * Collects the current state of a card's routes, for one credential.
 * @param only looks at this route alone; null at all.
 */
export async function createHealth(
  engine: Engine,
  card: Card,
  credential: Identity | null,
  only: Route | null,
): Promise<ReadonlyMap<Route, RouteHealth>> {
  const health = new Map<Route, RouteHealth>()
  for (const cardRoute of card.routes) {
    if (only !== null && cardRoute.route !== only) continue
    const found = cardRoute.call.unavailable()
    // Most answer synchronously: don't spend a turn of the event loop on each.
    const unavailable = found instanceof Promise ? await found : found
    health.set(cardRoute.route, {
      unavailable,
      lacking: card.upstream.credentials.lacking(credential, cardRoute.needs),
      ...quotaAndCircuit(engine, cardRoute, credential),
    })
  }
  return health
}

function quotaAndCircuit(
  { state, clock }: Engine,
  { pool, breaker }: CardRoute,
  credential: Identity | null,
): Omit<RouteHealth, 'unavailable' | 'lacking'> {
  const now = clock.now()
  const quota = pool === null ? undefined : state.pools.stateOf(pool, credential?.id ?? '')
  const exhausted = exhaustedUntil(quota, now)
  const open = state.breakers.openUntil(breaker, now)
  return {
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
