import { ExpressionError } from '../expressions/expression.ts'
import { isTruthy } from '../expressions/truth.ts'
import type { Unavailable } from '../model/adapter.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Lacking } from '../model/credential.ts'
import type { Candidate, Plan, PlanRequest, RouteState, Skip } from '../model/plan.ts'
import type { Reason } from '../model/reasons.ts'
import type { Route } from '../model/route.ts'

/** The state of a route before the gateway tries it. */
export interface RouteHealth {
  readonly unavailable: Unavailable | null
  /** The secrets that the call's credential lacks; null when it has them. */
  readonly lacking: Lacking | null
  readonly pool: string | null
  /** Milliseconds until its pool has quota again; null when it has. */
  readonly quotaInMs: number | null
  /** Milliseconds until its breaker lets a request through; null when it does. */
  readonly circuitInMs: number | null
  readonly state?: RouteState
}

/**
 * Orders the routes of a card and gives the reason why each is a candidate or skipped. Pure: the same card,
 * request and health give the same plan, so `explain` can show it and the journal can keep it.
 */
export function planRoutes(
  card: Card,
  request: PlanRequest,
  health: ReadonlyMap<Route, RouteHealth>,
): Plan {
  const only = request.pin ?? request.cursorRoute
  const considered = card.routes.filter(({ route }) => only === null || route === only)
  if (only !== null && considered.length === 0) {
    return { capability_id: card.id, candidates: [], skipped: [notOffered(card, only)] }
  }
  const skips = considered.map(
    route => unserved(route, request) ?? reasonToSkip(card, route.route, health.get(route.route)),
  )
  // If every route is out, try those whose only fault is an open breaker: that beats no answer.
  const bypass =
    skips.every(skip => skip !== null) && skips.some(skip => skip?.reason === 'CIRCUIT_OPEN')
  const skipped: Skip[] = []
  const candidates: Candidate[] = []
  considered.forEach(({ route }, index) => {
    const skip = skips[index] ?? null
    const known = health.get(route)?.state
    const state = known === undefined ? {} : { state: known }
    if (skip && !(bypass && skip.reason === 'CIRCUIT_OPEN'))
      skipped.push({ ...shareFate(skip, skipped, health), ...state })
    else candidates.push({ route, reason: reasonToTry(only, candidates, skipped), ...state })
  })
  return { capability_id: card.id, candidates, skipped }
}

function reasonToTry(
  only: Route | null,
  before: readonly Candidate[],
  skipped: readonly Skip[],
): Reason {
  if (only !== null) return 'ROUTE_PINNED'
  // A route that does not serve this input was never a choice.
  const passedOver = skipped.some(({ reason }) => reason !== 'INPUT_NOT_SERVED')
  return before.length === 0 && !passedOver ? 'CARD_PREFERRED' : 'CARD_FALLBACK'
}

/** Skips a route whose `when` excludes this input. */
function unserved({ route, when }: CardRoute, { input }: PlanRequest): Skip | null {
  if (!when || serves(when.test, input)) return null
  return {
    route,
    code: 'ADAPTER_UNSUPPORTED',
    reason: 'INPUT_NOT_SERVED',
    message: when.reason,
    fix: 'Leave route out, or change the input.',
    retry_after_ms: null,
  }
}

function serves(
  test: NonNullable<CardRoute['when']>['test'],
  input: PlanRequest['input'],
): boolean {
  try {
    return isTruthy(test({ input }))
  } catch (error) {
    // The card's author did not foresee this input, so the route does not serve it.
    if (error instanceof ExpressionError) return false
    throw error
  }
}

function reasonToSkip(card: Card, route: Route, health: RouteHealth | undefined): Skip | null {
  if (health?.unavailable) {
    return { route, code: 'ADAPTER_UNSUPPORTED', ...health.unavailable, retry_after_ms: null }
  }
  if (health?.lacking) return withoutCredential(route, health.lacking)
  if (health?.quotaInMs != null) return quotaExhausted(route, health.pool, health.quotaInMs)
  if (health?.circuitInMs != null) return circuitOpen(card, route, health.circuitInMs)
  return null
}

function withoutCredential(route: Route, lacking: Lacking): Skip {
  return {
    route,
    code: 'AUTH',
    reason: route === 'cli' ? 'CLI_UNAUTHENTICATED' : 'NO_CREDENTIAL',
    ...lacking,
    retry_after_ms: null,
  }
}

function quotaExhausted(route: Route, pool: string | null, ms: number): Skip {
  return {
    route,
    code: 'RATE_LIMIT',
    reason: 'QUOTA_EXHAUSTED',
    message: `The quota ${pool} is used up for ${Math.ceil(ms / 1000)} s more.`,
    fix: null,
    retry_after_ms: Math.ceil(ms),
  }
}

function circuitOpen({ upstream }: Card, route: Route, ms: number): Skip {
  return {
    route,
    code: 'SERVER',
    reason: 'CIRCUIT_OPEN',
    message: `${upstream.id} by ${route} has failed repeatedly; it is tried again shortly.`,
    fix: null,
    retry_after_ms: Math.ceil(ms),
  }
}

/** Marks a second route that is out for the same exhausted quota as sharing the fate of the first. */
function shareFate(
  skip: Skip,
  before: readonly Skip[],
  health: ReadonlyMap<Route, RouteHealth>,
): Skip {
  const pool = health.get(skip.route)?.pool ?? null
  const shared = before.some(
    ({ route, code }) => code === 'RATE_LIMIT' && health.get(route)?.pool === pool,
  )
  return skip.reason === 'QUOTA_EXHAUSTED' && pool !== null && shared
    ? { ...skip, reason: 'SHARED_FATE' }
    : skip
}

function notOffered(card: Card, route: Route): Skip {
  return {
    route,
    code: 'ADAPTER_UNSUPPORTED',
    reason: 'ADAPTER_UNSUPPORTED',
    message: card.notOffered[route] ?? `${card.id} has no ${route} route.`,
    fix: `Use one of: ${card.routes.map(({ route: name }) => name).join(', ')}; or leave route out.`,
    retry_after_ms: null,
  }
}
