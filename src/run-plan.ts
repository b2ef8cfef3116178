import type { CallContext } from './adapter.ts'
import { type AttemptResult, attemptRoute } from './attempt.ts'
import {
  type AttemptTiming,
  describeAttempt,
  describeSkip,
  describeStep,
} from './attempt-record.ts'
import type { Card, CardRoute } from './cards/card.ts'
import { withTimeout } from './deadline.ts'
import { backoffMs, decide, lessHarmless, maySendAgain, moreTelling } from './decide.ts'
import type { Engine } from './engine.ts'
import type { Decision, Reason } from './envelope.ts'
import { createFailure } from './failure.ts'
import type { Job, Outcome } from './job.ts'
import { learn } from './learn.ts'
import type { Failure, Route } from './outcome.ts'
import type { Candidate } from './plan.ts'
import { type Failed, sharesFate } from './shared-fate.ts'
import { unsentSteps } from './steps.ts'

/** What the loop carries from one attempt to the next. */
interface Run {
  readonly engine: Engine
  readonly job: Job
  /** The failure that explains the most so far, and where it happened. */
  told: { readonly failure: Failure; readonly route: Route } | null
  last: Failed | null
}

/** Tries the candidates in order until one succeeds or the decision is to stop. */
export async function runPlan(engine: Engine, job: Job): Promise<Outcome> {
  const run: Run = { engine, job, told: null, last: null }
  engine.state.retryBudget.earn(job.card.upstream.id)
  for (const [index, candidate] of job.plan.candidates.entries()) {
    const route = routeOf(job.card, candidate)
    if (passOver(run, route)) continue
    const rest = job.plan.candidates.slice(index + 1)
    const mayWait = engine.state.breakers.needsLease(route.breaker, engine.clock.now())
    if (mayWait && hasNextRoute(run, rest) && (await leaveToOther(run, route))) continue
    const outcome = await tryRoute(run, candidate, route, rest)
    if (outcome) return outcome
  }
  const told = run.told ?? { failure: NOTHING_SENT, route: null }
  return { ok: false, ...told, reason: 'ROUTE_FAILED' }
}

const NOTHING_SENT = createFailure(
  'TIMEOUT',
  'The time of this request was up before anything could be sent. Give it more.',
)

/** Calls one route, and again after a retryable failure. Null means: on to the next route. */
async function tryRoute(
  run: Run,
  candidate: Candidate,
  route: CardRoute,
  rest: readonly Candidate[],
): Promise<Outcome | null> {
  const { engine, job } = run
  for (let retry = 0; ; retry++) {
    const started = engine.clock.monotonic()
    const result = await oneAttempt(run, route, hasNextRoute(run, rest))
    const timing = { started, ended: engine.clock.monotonic(), retry }
    learn(engine, job, route, result)
    if (result.ok) {
      note(job, route, result, timing, null)
      job.warnings.push(...result.warnings)
      return {
        ok: true,
        data: result.data,
        route: route.route,
        reason: successReason(run, candidate, result),
      }
    }
    const { failure } = result
    run.last = { failure, route }
    run.told = tellingOf(run, failure, route.route)
    const decision = decideNext(run, failure, rest, retry)
    note(job, route, result, timing, decision)
    const then = await follow(run, decision, failure, route, rest, retry)
    if (then !== 'again') return then
  }
}

function note(
  job: Job,
  route: CardRoute,
  result: AttemptResult,
  timing: AttemptTiming,
  decision: Decision | null,
): void {
  const attempt = describeAttempt(job, route, result, timing, decision)
  job.attempts.push(attempt)
  job.steps.push(describeStep(job, attempt, result))
}

/** Does what was decided. `again` calls the same route once more; null goes on to the next. */
async function follow(
  run: Run,
  decision: Decision,
  failure: Failure,
  route: CardRoute,
  rest: readonly Candidate[],
  retry: number,
): Promise<Outcome | null | 'again'> {
  const { engine, job } = run
  switch (decision) {
    case 'next_route':
      return null
    case 'retry_same':
      engine.state.retryBudget.spend(job.card.upstream.id)
      await pause(run, failure.retryAfterMs ?? backoffMs(retry, engine.random))
      return job.signal.aborted || isSpent(run) ? give(run, failure) : 'again'
    case 'give_up':
      tellShared(run, rest)
      return give(run, failure)
    case 'verify': {
      const verdict = await job.verify(job.time)
      job.steps.push({ kind: 'verdict', verdict: verdict.kind })
      if (verdict.kind === 'found') {
        job.warnings.push(...unsentSteps(route.steps, job.input))
        return { ok: true, data: verdict.data, route: route.route, reason: 'RECOVERED' }
      }
      if (verdict.kind === 'unknown') return give(run, failure)
      const absent: Failure = { ...failure, writeOutcome: 'not_applied' }
      run.last = { failure: absent, route }
      run.told = { failure: absent, route: route.route }
      return await follow(run, decideNext(run, absent, rest, retry), absent, route, rest, retry)
    }
  }
}

/** Routes that are not tried because they would fail alike are part of the story. */
function tellShared({ job, last }: Run, rest: readonly Candidate[]): void {
  for (const candidate of rest) {
    const route = routeOf(job.card, candidate)
    if (!last || !sharesFate(last, route)) continue
    job.attempts.push(describeSkip(job, route, 'SHARED_FATE', last.failure.code))
  }
}

function give(run: Run, failure: Failure): Outcome {
  const told = run.told ?? { failure, route: null }
  return { ok: false, ...told, reason: endReason(run.job.card, failure) }
}

function decideNext(
  run: Run,
  failure: Failure,
  rest: readonly Candidate[],
  retry: number,
): Decision {
  const { engine, job } = run
  return decide(failure, {
    effect: job.card.effect,
    hasVerify: job.card.verify !== null,
    hasNextRoute: hasNextRoute(run, rest),
    canRetry: retry < engine.policy.retries && engine.state.retryBudget.has(job.card.upstream.id),
    remainingMs: job.deadline.remaining() - engine.policy.reserveMs,
    callerGone: job.signal.aborted,
  })
}

/** One attempt under its own time limit. */
function oneAttempt(run: Run, route: CardRoute, mayFallBack: boolean): Promise<AttemptResult> {
  const { engine, job } = run
  const timeoutMs = attemptTime(run, mayFallBack)
  engine.state.breakers.begin(route.breaker, engine.clock.now())
  const traceparent = handedOn(run, route)
  // A change that has been sent is not abandoned because the caller left: its outcome would be lost.
  const outer = job.card.effect === 'read' ? job.signal : null
  return withTimeout(timeoutMs, outer, signal => {
    const context: CallContext = {
      signal,
      timeoutMs,
      effect: job.card.effect,
      credential: job.credential,
      requestId: job.requestId,
      ...(traceparent === null ? {} : { traceparent }),
      ...(job.batch === null ? {} : { batch: job.batch }),
    }
    return attemptRoute(job.card, route, job.input, context, engine.state.revalidation)
  })
}

/** The service's own spans belong under that of the attempt, where there is one. */
function handedOn({ engine, job }: Run, { route }: CardRoute): string | null {
  if (job.spans === null) return job.traceparent
  const startedMs = engine.clock.monotonic() - job.deadline.startedAt
  return job.spans.beginAttempt(job.card.upstream.id, route, startedMs)
}

/** What finding out about a write takes beside letting it settle: two reads, usually. */
const LOOK_MS = 1_000

/**
 * While another route is left, an attempt may not use up the whole deadline; nor when it may have to be
 * found out what it did, for which up to a third is kept.
 */
function attemptTime({ engine, job }: Run, mayFallBack: boolean): number {
  const left = job.deadline.remaining() - engine.policy.reserveMs
  const { verify } = job.card
  const kept = verify ? Math.min(left / 3, verify.settlesMs + LOOK_MS) : 0
  const most = mayFallBack ? engine.policy.attemptTimeoutMs : left
  return Math.max(1, Math.min(left - kept, most))
}

/** Records a route that is not worth asking after what another has just answered, or for lack of time. */
function passOver(run: Run, route: CardRoute): boolean {
  const { last, job } = run
  const spent = isSpent(run)
  if (!spent && !sharesFate(last, route)) return false
  job.attempts.push(
    describeSkip(job, route, spent ? 'DEADLINE' : 'SHARED_FATE', last?.failure.code ?? 'TIMEOUT'),
  )
  return true
}

/** A circuit that is just being tried out is left to whoever does, while there is another route. */
async function leaveToOther({ engine, job }: Run, route: CardRoute): Promise<boolean> {
  if (await engine.state.breakers.takeLease(route.breaker, engine.clock.now())) return false
  job.attempts.push(describeSkip(job, route, 'CIRCUIT_OPEN', 'SERVER'))
  return true
}

/** No attempt is started that cannot finish: of a write it would only be unknown what it did. */
function isSpent({ job, engine }: Run): boolean {
  return job.deadline.remaining() <= engine.policy.reserveMs
}

function hasNextRoute({ last, job }: Run, rest: readonly Candidate[]): boolean {
  return rest.some(candidate => !sharesFate(last, routeOf(job.card, candidate)))
}

/** Ends early when nobody waits for the answer any more. */
async function pause({ engine, job }: Run, ms: number): Promise<void> {
  await engine.clock.sleep(ms, job.signal).catch(() => {})
}

/**
 * The failure to tell, with what is known of the change after all attempts: whatever failed later, what
 * an earlier one may have done is not undone. A write that ended in doubt is itself what has to be told.
 */
function tellingOf({ job, told }: Run, failure: Failure, route: Route): NonNullable<Run['told']> {
  if (!told || !maySendAgain(job.card.effect, failure)) return { failure, route }
  const telling = moreTelling(told.failure, failure) === told.failure ? told : { failure, route }
  const writeOutcome = lessHarmless(told.failure.writeOutcome, failure.writeOutcome)
  return { ...telling, failure: { ...telling.failure, writeOutcome } }
}

/** A route that served because another failed is a fallback, whatever the plan hoped. */
function successReason(
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

function routeOf(card: Card, { route }: Candidate): CardRoute {
  const found = card.routes.find(cardRoute => cardRoute.route === route)
  if (!found) throw new Error(`${card.id} has no ${route} route`)
  return found
}
