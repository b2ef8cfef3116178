import type { Card, CardRoute } from './cards/card.ts'
import type { Credential } from './credential.ts'
import type { Engine } from './engine.ts'
import type { Route } from './outcome.ts'
import type { RouteHealth } from './plan.ts'
import { breakerKey } from './state/breakers.ts'

/** What is known now about the routes of a card, for one credential. */
export async function createHealth(
  engine: Engine,
  card: Card,
  credential: Credential | null,
): Promise<ReadonlyMap<Route, RouteHealth>> {
  const health = new Map<Route, RouteHealth>()
  for (const cardRoute of card.routes) {
    const found = cardRoute.call.unavailable()
    // Most answer at once, and need no turn of the event loop each.
    const unavailable = found instanceof Promise ? await found : found
    health.set(cardRoute.route, {
      unavailable,
      ...quotaAndCircuit(engine, card, cardRoute, credential),
    })
  }
  return health
}

function quotaAndCircuit(
  { state, clock }: Engine,
  card: Card,
  route: CardRoute,
  credential: Credential | null,
): Omit<RouteHealth, 'unavailable'> {
  const now = clock.now()
  const owner = credential?.id ?? ''
  const key = breakerKey(card.upstream.id, route.route)
  const exhausted = route.pool && state.pools.exhaustedUntil(route.pool, owner, now)
  const open = state.breakers.openUntil(key, now)
  const quota = route.pool === null ? undefined : state.pools.stateOf(route.pool, owner)
  return {
    pool: route.pool,
    quotaInMs: exhausted ? exhausted - now : null,
    circuitInMs: open === null ? null : open - now,
    state: {
      pool: route.pool,
      remaining: quota?.remaining ?? null,
      reset_at: quota?.resetAt == null ? null : new Date(quota.resetAt).toISOString(),
      breaker: state.breakers.kindOf(key, now),
    },
  }
}
