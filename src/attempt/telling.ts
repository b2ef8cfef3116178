/** What is told of a run: which failure, with what reason, and which routes were left out. */

import type { Card } from '../model/card.ts'
import type { Reason } from '../model/envelope.ts'
import type { Failure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Candidate } from '../model/plan.ts'
import type { Route } from '../model/route.ts'
import type { AttemptResult } from './attempt.ts'
import { describeSkip } from './attempt-record.ts'
import { lessHarmless, maySendAgain, moreTelling } from './decide.ts'
import { type Run, routeOf } from './run.ts'
import { sharesFate } from './shared-fate.ts'

/** Routes that are not tried because they would fail alike are part of the story. */
export function tellShared({ job, last }: Run, rest: readonly Candidate[]): void {
  for (const candidate of rest) {
    const route = routeOf(job.card, candidate)
    if (!last || !sharesFate(last, route)) continue
    job.attempts.push(describeSkip(job, route, 'SHARED_FATE', last.failure.code))
  }
}

export function give(run: Run, failure: Failure): Outcome {
  const told = run.told ?? { failure, route: null }
  return { ok: false, ...told, reason: endReason(run.job.card, failure) }
}

/**
 * The failure to tell, with what is known of the change after all attempts: whatever failed later, what
 * an earlier one may have done is not undone. A write that ended in doubt is itself what has to be told.
 */
export function tellingOf(
  { job, told }: Run,
  failure: Failure,
  route: Route,
): NonNullable<Run['told']> {
  if (!told || !maySendAgain(job.card.effect, failure)) return { failure, route }
  const telling = moreTelling(told.failure, failure) === told.failure ? told : { failure, route }
  const writeOutcome = lessHarmless(told.failure.writeOutcome, failure.writeOutcome)
  return { ...telling, failure: { ...telling.failure, writeOutcome } }
}

/** A route that served because another failed is a fallback, whatever the plan hoped. */
export function successReason(
  run: Run,
  candidate: Candidate,
  result: Extract<AttemptResult, { ok: true }>,
): Reason {
  if (run.last && run.last.route.route !== candidate.route) return 'CARD_FALLBACK'
  return result.exchange.upstreamStatus === 304 ? 'REVALIDATED' : candidate.reason
}

function endReason(card: Card, failure: Failure): Reason {
  const ambiguous = card.effect === 'write' && failure.writeOutcome === 'unknown'
  if (ambiguous) return 'WRITE_OUTCOME_UNKNOWN'
  return failure.code === 'OUTPUT_INVALID' ? 'OUTPUT_VALIDATION' : 'ROUTE_FAILED'
}
