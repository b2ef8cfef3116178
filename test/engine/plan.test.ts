import { describe, expect, test } from 'vitest'
import type { Card, CardRoute } from '../../src/cards/card.ts'
import type { Route } from '../../src/outcome.ts'
import { planRoutes, type RouteHealth } from '../../src/plan.ts'

const healthy: RouteHealth = { unavailable: null, pool: null, quotaInMs: null, circuitInMs: null }
const anybody = { pin: null, cursorRoute: null, hasCredential: true }

function cardWith(...routes: Route[]): Card {
  const upstream = {
    id: 'github',
    description: null,
    token: null,
    tokenNames: ['GITHUB_TOKEN'],
    passthrough: true,
    credentialRequired: true,
    pools: ['core', 'graphql'],
  }
  return {
    id: 'repo.view',
    upstream,
    routes: routes.map(route => ({ route }) as CardRoute),
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

  test('a pin to a route that the card lacks says which there are', () => {
    const plan = planRoutes(cardWith('rest'), { ...anybody, pin: 'cli' }, all())
    expect(plan.candidates).toEqual([])
    expect(plan.skipped).toMatchObject([{ route: 'cli', code: 'ADAPTER_UNSUPPORTED' }])
    expect(plan.skipped[0]?.fix).toMatch(/Use one of: rest/)
  })

  test('an exhausted quota is avoided; the next route out of the same pool shares its fate', () => {
    const spent = { pool: 'github:graphql', quotaInMs: 60_000 }
    const plan = planRoutes(three, anybody, all({ graphql: spent, cli: spent }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['rest'])
    expect(plan.skipped).toMatchObject([
      { route: 'graphql', code: 'RATE_LIMIT', reason: 'QUOTA_EXHAUSTED', retry_after_ms: 60_000 },
      { route: 'cli', code: 'RATE_LIMIT', reason: 'SHARED_FATE', retry_after_ms: 60_000 },
    ])
  })

  test('an open breaker is passed over while another route is left', () => {
    const plan = planRoutes(three, anybody, all({ rest: { circuitInMs: 5_000 } }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['graphql', 'cli'])
    expect(plan.skipped).toMatchObject([{ route: 'rest', reason: 'CIRCUIT_OPEN' }])
  })

  test('with every route open, the breakers are passed by', () => {
    const open = { circuitInMs: 5_000 }
    const plan = planRoutes(three, anybody, all({ rest: open, graphql: open, cli: open }))
    expect(plan.candidates.map(({ route }) => route)).toEqual(['rest', 'graphql', 'cli'])
  })

  test('an exhausted quota is not passed by, even when nothing else is left', () => {
    const plan = planRoutes(
      cardWith('rest'),
      anybody,
      all({ rest: { pool: 'github:core', quotaInMs: 1_000 } }),
    )
    expect(plan.candidates).toEqual([])
  })

  test('without a credential every route is out, and the fix names the variable and the header', () => {
    const plan = planRoutes(three, { ...anybody, hasCredential: false }, all())
    expect(plan.skipped.map(({ reason }) => reason)).toEqual([
      'NO_CREDENTIAL',
      'NO_CREDENTIAL',
      'CLI_UNAUTHENTICATED',
    ])
    expect(plan.skipped[0]?.fix).toMatch(/GITHUB_TOKEN.*X-Upstream-Authorization/)
  })
})
