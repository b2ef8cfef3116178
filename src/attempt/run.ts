/** One run of a plan, and what can be asked of it between its attempts. */

import type { Engine } from '../engine/engine.ts'
import type { Job } from '../engine/job.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import type { Candidate } from '../model/plan.ts'
import type { Route } from '../model/route.ts'
import { type Failed, sharesFate } from './shared-fate.ts'

/** What the loop carries from one attempt to the next. */
export interface Run {
  readonly engine: Engine
  readonly job: Job
  /** The failure that explains the most so far, and where it happened. */
  told: { readonly failure: Failure; readonly route: Route } | null
  last: Failed | null
}

/** No attempt is started that cannot finish: of a write it would only be unknown what it did. */
export function isSpent({ job, engine }: Run): boolean {
  return job.deadline.remaining() <= engine.policy.reserveMs
}

export function hasNextRoute({ last, job }: Run, rest: readonly Candidate[]): boolean {
  return rest.some(candidate => !sharesFate(last, routeOf(job.card, candidate)))
}

/** What finding out about a write takes beside letting it settle: two reads, usually. */
const LOOK_MS = 1_000

/**
 * While another route is left, an attempt may not use up the whole deadline; nor when it may have to be
 * found out what it did, for which up to a third is kept.
 */
export function attemptTime({ engine, job }: Run, mayFallBack: boolean): number {
  const left = job.deadline.remaining() - engine.policy.reserveMs
  const { verify } = job.card
  const kept = verify ? Math.min(left / 3, verify.settlesMs + LOOK_MS) : 0
  const most = mayFallBack ? engine.policy.attemptTimeoutMs : left
  return Math.max(1, Math.min(left - kept, most))
}

export function routeOf(card: Card, { route }: Candidate): CardRoute {
  const found = card.routes.find(cardRoute => cardRoute.route === route)
  if (!found) throw new Error(`${card.id} has no ${route} route`)
  return found
}
