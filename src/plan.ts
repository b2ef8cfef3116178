import type { Unavailable } from './adapter.ts'
import type { Card, CardRoute } from './cards/card.ts'
import type { Reason } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import type { Route } from './outcome.ts'

/** A route that may be tried, in order. */
export interface Candidate {
  readonly route: Route
  readonly reason: Reason
}

/** A route that will not be tried, and why. */
export interface Skip {
  readonly route: Route
  readonly code: ErrorCode
  readonly reason: Reason
  readonly message: string
  readonly fix: string | null
}

/** The routing decision for one request, made before anything is sent. */
export interface Plan {
  readonly capability_id: string
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly Skip[]
}

export interface PlanRequest {
  /** The caller's `?route=`. */
  readonly pin: Route | null
  /** The route that made the cursor in the input: only it can go on there. */
  readonly cursorRoute: Route | null
  readonly hasCredential: boolean
}

/** What is known about a route before it is tried. */
export interface RouteHealth {
  readonly unavailable: Unavailable | null
}

/**
 * Puts the routes of a card in order and says of each why it is in or out. Pure: the same card, request
 * and health give the same plan, which is why `explain` can show it and the journal can keep it.
 */
export function planRoutes(
  card: Card,
  request: PlanRequest,
  health: ReadonlyMap<Route, RouteHealth>,
): Plan {
  const only = request.pin ?? request.cursorRoute
  const considered = card.routes.filter(({ route }) => only === null || route === only)
  const skipped: Skip[] = []
  const candidates: Candidate[] = []
  if (only !== null && considered.length === 0) skipped.push(notOffered(card, only))
  for (const cardRoute of considered) {
    const skip = reasonToSkip(card, cardRoute, request, health.get(cardRoute.route))
    if (skip) skipped.push(skip)
    else candidates.push({ route: cardRoute.route, reason: reasonToTry(only, candidates, skipped) })
  }
  return { capability_id: card.id, candidates, skipped }
}

function reasonToTry(
  only: Route | null,
  before: readonly Candidate[],
  skipped: readonly Skip[],
): Reason {
  if (only !== null) return 'ROUTE_PINNED'
  return before.length === 0 && skipped.length === 0 ? 'CARD_PREFERRED' : 'CARD_FALLBACK'
}

function reasonToSkip(
  card: Card,
  { route }: CardRoute,
  request: PlanRequest,
  health: RouteHealth | undefined,
): Skip | null {
  if (health?.unavailable) {
    return { route, code: 'ADAPTER_UNSUPPORTED', ...health.unavailable }
  }
  if (!request.hasCredential && card.upstream.credentialRequired) {
    return {
      route,
      code: 'AUTH',
      reason: route === 'cli' ? 'CLI_UNAUTHENTICATED' : 'NO_CREDENTIAL',
      message: `No credential for ${card.upstream.id}.`,
      fix: credentialFix(card),
    }
  }
  return null
}

function credentialFix({ upstream }: Card): string {
  const ways = [
    ...(upstream.tokenNames.length > 0
      ? [`set ${upstream.tokenNames.join(' or ')} where the gateway runs`]
      : []),
    ...(upstream.passthrough ? ['send X-Upstream-Authorization with the call'] : []),
  ]
  return `Give the gateway a credential: ${ways.join(', or ')}.`
}

function notOffered(card: Card, route: Route): Skip {
  return {
    route,
    code: 'ADAPTER_UNSUPPORTED',
    reason: 'ADAPTER_UNSUPPORTED',
    message: `${card.id} has no ${route} route.`,
    fix: `Use one of: ${card.routes.map(({ route: name }) => name).join(', ')}; or leave route out.`,
  }
}
