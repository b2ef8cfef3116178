import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../src/expressions/expression.ts'
import type { Card, CardRoute } from '../../src/model/card.ts'
import type { Route } from '../../src/model/route.ts'
import { planRoutes, type RouteHealth } from '../../src/plan/plan.ts'

const healthy: RouteHealth = {
  lacking: null,
  unavailable: null,
  pool: null,
  quotaInMs: null,
  circuitInMs: null,
}
const anybody = { input: {}, pin: null, cursorRoute: null }

type When = CardRoute['when']

function cardWith(...routes: Route[]): Card {
  return cardOf(routes.map(route => ({ route, when: null })))
}

function cardOf(routes: { route: Route; when: When }[]): Card {
  const upstream = {
    id: 'github',
    description: null,
    pools: ['core', 'graphql'],
    examples: {},
    keeps: [],
  }
  return {
    id: 'repo.view',
    upstream,
    routes,
    notOffered: {},
  } as unknown as Card
}

const three = cardWith('rest', 'graphql', 'cli')
const all = (changes: Partial<Record<Route, Partial<RouteHealth>>> = {}) =>
  new Map<Route, RouteHealth>(
    (['rest', 'graphql', 'cli'] as const).map(route => [route, { ...healthy, ...changes[route] }]),
  )

describe('planRoutes', () => {
  test('keeps the order of the card', () => {
    expect(planRoutes(three, anybody, all())).toEqual({
      capability_id: 'repo.view',
      candidates: [
        { route: 'rest', reason: 'CARD_PREFERRED' },
        { route: 'graphql', reason: 'CARD_FALLBACK' },
        { route: 'cli', reason: 'CARD_FALLBACK' },
      ],
      skipped: [],
    })
  })

  test.each(['pin', 'cursorRoute'] as const)('%s leaves one route', key => {
    const plan = planRoutes(three, { ...anybody, [key]: 'cli' }, all())
    expect(plan.candidates).toEqual([{ route: 'cli', reason: 'ROUTE_PINNED' }])
  })

  test('a pin to a route that the card lacks is refused with the routes it has', () => {
    const plan = planRoutes(cardWith('rest'), { ...anybody, pin: 'cli' }, all())
    expect(plan.candidates).toEqual([])
    expect(plan.skipped).toMatchObject([{ route: 'cli', code: 'ADAPTER_UNSUPPORTED' }])
    expect(plan.skipped[0]?.fix).toMatch(/Use one of: rest/)
  })

  test('an exhausted quota is avoided, and another route of the same pool shares its fate', () => {
    const spent = { pool: 'github:graphql', quotaInMs: 60_000 }
    const plan = planRoutes(three, anybody, all({ graphql: spent, cli: spent }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['rest'])
    expect(plan.skipped).toMatchObject([
      { route: 'graphql', code: 'RATE_LIMIT', reason: 'QUOTA_EXHAUSTED', retry_after_ms: 60_000 },
      { route: 'cli', code: 'RATE_LIMIT', reason: 'SHARED_FATE', retry_after_ms: 60_000 },
    ])
  })

  test('a route with an open breaker is skipped while another route is left', () => {
    const plan = planRoutes(three, anybody, all({ rest: { circuitInMs: 5_000 } }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['graphql', 'cli'])
    expect(plan.skipped).toMatchObject([{ route: 'rest', reason: 'CIRCUIT_OPEN' }])
  })

  test('open breakers are ignored when every route has one', () => {
    const open = { circuitInMs: 5_000 }
    const plan = planRoutes(three, anybody, all({ rest: open, graphql: open, cli: open }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['rest', 'graphql', 'cli'])
  })

  test('an exhausted quota is never ignored', () => {
    const plan = planRoutes(
      cardWith('rest'),
      anybody,
      all({ rest: { pool: 'github:core', quotaInMs: 1_000 } }),
    )
    expect(plan.candidates).toEqual([])
  })

  test('without a credential no route is left, and each says what is lacking', () => {
    const lacking = { message: 'No credential.', fix: 'Set TOKEN.' }
    const plan = planRoutes(
      three,
      anybody,
      all({ rest: { lacking }, graphql: { lacking }, cli: { lacking } }),
    )
    expect(plan.skipped.map(({ reason }) => reason)).toEqual([
      'NO_CREDENTIAL',
      'NO_CREDENTIAL',
      'CLI_UNAUTHENTICATED',
    ])
    expect(plan.skipped[0]).toMatchObject(lacking)
  })

  describe('a route that serves only some inputs', () => {
    const reason = 'REST cannot change draft.'
    const when: When = { test: ({ input }) => !('draft' in (input as object)), reason }
    const card = cardOf([
      { route: 'rest', when },
      { route: 'graphql', when: null },
    ])

    test('is the preferred one for these', () => {
      const { candidates, skipped } = planRoutes(card, anybody, all())
      expect(candidates.map(({ route }) => route)).toEqual(['rest', 'graphql'])
      expect(skipped).toEqual([])
    })

    test('is skipped for others with the reason from its card, and the next one is preferred', () => {
      const plan = planRoutes(card, { ...anybody, input: { draft: true } }, all())
      expect(plan.candidates).toEqual([{ route: 'graphql', reason: 'CARD_PREFERRED' }])
      expect(plan.skipped).toMatchObject([
        { code: 'ADAPTER_UNSUPPORTED', reason: 'INPUT_NOT_SERVED', message: reason },
      ])
    })

    test('leaves no candidate for others when it is pinned', () => {
      const request = { ...anybody, input: { draft: true }, pin: 'rest' } as const
      expect(planRoutes(card, request, all()).candidates).toEqual([])
    })

    test('does not serve an input for which its condition fails', () => {
      const test = compileExpression("starts_with(input.name, 'a')")
      const strict = cardOf([{ route: 'rest', when: { test, reason } }])
      expect(planRoutes(strict, anybody, all()).skipped).toMatchObject([
        { reason: 'INPUT_NOT_SERVED' },
      ])
    })
  })
})
