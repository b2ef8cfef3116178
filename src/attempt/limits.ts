/** How much time and which routes a run has left. */

import type { Run } from '../engine/run.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Candidate } from '../model/plan.ts'
import { sharesFate } from './shared-fate.ts'

/** Whether too little time is left to start an attempt: cutting off a write leaves its outcome unknown. */
export function isSpent({ deadline, engine }: Run): boolean {
  return deadline.remaining() <= engine.policy.reserveMs
}

export function hasNextRoute({ lastFailed, card }: Run, rest: readonly Candidate[]): boolean {
  return rest.some(candidate => !sharesFate(lastFailed, routeOf(card, candidate)))
}

/** Time for the reads that check on a write, beside the time it needs to settle: usually two reads. */
const VERIFY_READS_MS = 1_000

/**
 * Milliseconds that one attempt may take. It must leave time for the next route while there is one, and, where
 * the card has `verify`, up to a third of the deadline for checking on the write.
 */
export function attemptTime({ engine, deadline, card }: Run, mayFallBack: boolean): number {
  const left = deadline.remaining() - engine.policy.reserveMs
  const { verify } = card
  const kept = verify ? Math.min(left / 3, verify.settlesMs + VERIFY_READS_MS) : 0
  const most = mayFallBack ? engine.policy.attemptTimeoutMs : left
  return Math.max(1, Math.min(left - kept, most))
}

export function routeOf(card: Card, { route }: Candidate): CardRoute {
  const found = card.routes.find(cardRoute => cardRoute.route === route)
  if (!found) throw new Error(`${card.id} has no ${route} route`)
  return found
}
