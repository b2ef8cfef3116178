import { JsonText } from '../lib/json-text.ts'
import type { Card } from '../model/card.ts'
import type { Plan, PlanRequest } from '../model/plan.ts'
import type { Route } from '../model/route.ts'
import { planRoutes, type RouteHealth } from './plan.ts'

/** A plan, and its JSON for the journal. */
export interface WrittenPlan {
  readonly plan: Plan
  readonly json: JsonText
}

interface Made extends WrittenPlan {
  readonly health: ReadonlyMap<Route, RouteHealth>
}

/** The last plan of each card, for each route that a call can be bound to. */
const made = new WeakMap<Card, Map<Route | null, Made>>()

/** Plans a call. As long as nothing is known against a route and no quota changes, all calls of a card share one plan. */
export function planCall(
  card: Card,
  request: PlanRequest,
  health: ReadonlyMap<Route, RouteHealth>,
): WrittenPlan {
  const only = request.pin ?? request.cursorRoute
  const last = made.get(card)?.get(only)
  if (last && isSameHealth(last.health, health)) return last
  const plan = planRoutes(card, request, health)
  const planned = { plan, json: new JsonText(plan), health }
  if (dependsOnHealthAlone(card, health)) keep(card, only, planned)
  return planned
}

function keep(card: Card, only: Route | null, planned: Made): void {
  const ofCard = made.get(card) ?? new Map<Route | null, Made>()
  made.set(card, ofCard.set(only, planned))
}

/** Whether every input gets this plan: no route chooses its inputs, and none is out, which would name a time. */
function dependsOnHealthAlone(card: Card, health: ReadonlyMap<Route, RouteHealth>): boolean {
  return card.routes.every(({ when }) => when === null) && [...health.values()].every(isUsable)
}

function isUsable({ unavailable, lacking, quotaInMs, circuitInMs }: RouteHealth): boolean {
  return unavailable === null && lacking === null && quotaInMs === null && circuitInMs === null
}

function isSameHealth(
  one: ReadonlyMap<Route, RouteHealth>,
  other: ReadonlyMap<Route, RouteHealth>,
): boolean {
  if (one.size !== other.size) return false
  for (const [route, health] of other) {
    const { state: before } = one.get(route) ?? {}
    if (!isUsable(health) || !before || !isSameState(before, health.state)) return false
  }
  return true
}

type State = NonNullable<RouteHealth['state']>

function isSameState(one: State, other: State | undefined): boolean {
  return (
    one.remaining === other?.remaining &&
    one.reset_at === other.reset_at &&
    one.pool === other.pool &&
    one.breaker === other.breaker
  )
}
