import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../src/expressions/expression.ts'
import type { Card } from '../../src/model/card.ts'
import type { PlanRequest } from '../../src/model/plan.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'
import { planRoutes, type RouteHealth } from '../../src/plan/plan.ts'
import { planCall } from '../../src/plan/planner.ts'

/** Its graphql route serves only inputs with `open`, if it chooses. */
function cardThat(chooses: boolean): Card {
  const when = { test: compileExpression('input.open'), reason: 'Only open ones.' }
  const routes = ROUTES.map(route => ({
    route,
    when: chooses && route === 'graphql' ? when : null,
  }))
  return { id: 'thing.view', upstream: { id: 'things' }, routes, notOffered: {} } as unknown as Card
}

const state = (pool: string | null, remaining: number | null) =>
  ({
    pool,
    remaining,
    reset_at: remaining === null ? null : '2026-01-01T00:00:00Z',
    breaker: 'closed',
  }) as const

function healthOf(change: Partial<RouteHealth> = {}): RouteHealth {
  const none = { unavailable: null, lacking: null, quotaInMs: null, circuitInMs: null }
  return { ...none, pool: null, state: state(null, null), ...change }
}

const HEALTHS: readonly RouteHealth[] = [
  healthOf(),
  healthOf({ pool: 'things:core', state: state('things:core', 10) }),
  healthOf({ pool: 'things:core', state: state('things:core', 9) }),
  healthOf({ pool: 'things:core', quotaInMs: 4000, state: state('things:core', 0) }),
  healthOf({ circuitInMs: 500, state: { ...state(null, null), breaker: 'open' } }),
  healthOf({ circuitInMs: 400, state: { ...state(null, null), breaker: 'open' } }),
  healthOf({ state: { ...state(null, null), breaker: 'half_open' } }),
  healthOf({ lacking: { message: 'There is no token.', fix: 'Set one.' } }),
  healthOf({ unavailable: { reason: 'CLI_NOT_AVAILABLE', message: 'None.', fix: 'Install it.' } }),
]

const call = fc.record({
  pin: fc.constantFrom(null, ...ROUTES),
  open: fc.boolean(),
  healths: fc.tuple(...ROUTES.map(() => fc.constantFrom(...HEALTHS))),
})

describe('the plan of a call', () => {
  test('is that of its own health and input, whatever calls the card has had before', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(call, { maxLength: 20 }), (chooses, calls) => {
        const card = cardThat(chooses)
        for (const { pin, open, healths } of calls) {
          const request: PlanRequest = { input: { open }, pin, cursorRoute: null }
          const considered = ROUTES.filter(route => pin === null || route === pin)
          const health = new Map<Route, RouteHealth>(
            considered.map(route => [route, healths[ROUTES.indexOf(route)] as RouteHealth]),
          )
          const { plan, json } = planCall(card, request, health)
          expect(plan).toEqual(planRoutes(card, request, health))
          expect(json.text).toBe(JSON.stringify(plan))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is the same object while nothing changes, so that its JSON is written once', () => {
    const card = cardThat(false)
    const request = { input: {}, pin: null, cursorRoute: null }
    const plain = () => new Map<Route, RouteHealth>(ROUTES.map(route => [route, healthOf()]))
    const first = planCall(card, request, plain())
    expect(planCall(card, request, plain())).toBe(first)
    expect(planCall(card, { ...request, pin: 'rest' }, plain())).not.toBe(first)
  })
})
