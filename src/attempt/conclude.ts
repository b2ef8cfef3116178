/** How a run ends: which failure it reports, with which reason, and which routes it never tried. */

import type { Run } from '../engine/run.ts'
import type { Card } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Candidate } from '../model/plan.ts'
import type { Reason } from '../model/reasons.ts'
import type { Route } from '../model/route.ts'
import { describeSkip } from './attempt-record.ts'
import type { AttemptResult } from './attempt-route.ts'
import { explainsMore, maySendAgain, worseOutcome } from './decide.ts'
import { routeOf } from './limits.ts'
import { sharesFate } from './shared-fate.ts'

/** Records the remaining routes that would fail for the same reason as the last one. */
export function recordSharedFate(run: Run, rest: readonly Candidate[]): void {
  const { card, lastFailed, attempts } = run
  for (const candidate of rest) {
    const route = routeOf(card, candidate)
    if (!lastFailed || !sharesFate(lastFailed, route)) continue
    attempts.push(describeSkip(run, route, 'SHARED_FATE', lastFailed.failure.code))
  }
}

export function conclude({ explained, card }: Run, failure: Failure): Outcome {
  const reported = explained ?? { failure, route: null }
  return { ok: false, ...reported, reason: failureReason(card, failure) }
}

/**
 * The failure to report after one more attempt. It carries what all attempts together may have done to a write:
 * a later failure undoes nothing. A write that ended in doubt is always the one to report.
 */
export function mostTelling(
  { card, explained }: Run,
  failure: Failure,
  route: Route,
): NonNullable<Run['explained']> {
  if (!explained || !maySendAgain(card.effect, failure)) return { failure, route }
  const better = explainsMore(failure, explained.failure) ? { failure, route } : explained
  const writeOutcome = worseOutcome(explained.failure.writeOutcome, failure.writeOutcome)
  return { ...better, failure: { ...better.failure, writeOutcome } }
}

/** A route that answered because another failed is a fallback, whatever the plan said. */
export function successReason(
  { lastFailed }: Run,
  candidate: Candidate,
  result: Extract<AttemptResult, { ok: true }>,
): Reason {
  if (lastFailed && lastFailed.route.route !== candidate.route) return 'CARD_FALLBACK'
  return result.exchange.upstreamStatus === 304 ? 'REVALIDATED' : candidate.reason
}

function failureReason(card: Card, failure: Failure): Reason {
  const isAmbiguous = card.effect === 'write' && failure.writeOutcome === 'unknown'
  if (isAmbiguous) return 'WRITE_OUTCOME_UNKNOWN'
  return failure.code === 'OUTPUT_INVALID' ? 'OUTPUT_VALIDATION' : 'ROUTE_FAILED'
}
