/** Errors of calls that the gateway refuses before it sends anything. */

import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { Plan } from '../model/plan.ts'
import type { Route } from '../model/route.ts'

/** A cursor only works on the route that made it. */
export function foreignCursor(card: Card, pin: Route, made: Route): GatewayError {
  const field = card.page?.cursor ?? ''
  return new GatewayError(
    'VALIDATION',
    `"${field}" comes from the ${made} route and cannot go on by ${pin}. Leave route out, or start over.`,
    {
      source: 'caller',
      details: { fields: [{ path: field, message: `belongs to the ${made} route` }] },
    },
  )
}

/** @throws {GatewayError} when the plan has skipped every route */
export function requireRoute({ card, plan }: { readonly card: Card; readonly plan: Plan }): void {
  if (plan.candidates.length === 0) throw noRoute(card, plan)
}

/** The error when every route is out: that of the route that comes back soonest, else of the first. */
export function noRoute(card: Card, { skipped }: Plan): GatewayError {
  const waiting = skipped.filter(skip => skip.retry_after_ms !== null)
  const [soonest] = waiting.toSorted((a, b) => Number(a.retry_after_ms) - Number(b.retry_after_ms))
  // Prefer a reason that somebody can fix.
  const mendable = skipped.find(({ reason }) => reason !== 'INPUT_NOT_SERVED')
  const chosen = soonest ?? mendable ?? skipped[0]
  if (!chosen) throw new Error(`${card.id} has no routes`)
  return new GatewayError(
    chosen.code,
    chosen.fix ? `${chosen.message} ${chosen.fix}` : chosen.message,
    {
      details: { route: chosen.route, reason: chosen.reason, fix: chosen.fix },
      ...(chosen.retry_after_ms === null ? {} : { retryAfterMs: chosen.retry_after_ms }),
    },
  )
}
