import type { Engine } from '../engine/engine.ts'
import type { Job } from '../engine/job.ts'
import { withTimeout } from '../lib/deadline.ts'
import type { CallContext } from '../model/adapter.ts'
import type { CardRoute } from '../model/card.ts'
import type { Decision } from '../model/envelope.ts'
import type { Failure } from '../model/failure.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Candidate } from '../model/plan.ts'
import { type AttemptResult, attemptRoute } from './attempt.ts'
import {
  type AttemptTiming,
  describeAttempt,
  describeSkip,
  describeStep,
} from './attempt-record.ts'
import { backoffMs, decide } from './decide.ts'
import { learn } from './learn.ts'
import { attemptTime, hasNextRoute, isSpent, type Run, routeOf } from './run.ts'
import { sharesFate } from './shared-fate.ts'
import { unsentSteps } from './steps.ts'
import { give, successReason, tellingOf, tellShared } from './telling.ts'

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
  { fallback: false, writeOutcome: 'not_applied' },
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

/** Ends early when nobody waits for the answer any more. */
async function pause({ engine, job }: Run, ms: number): Promise<void> {
  await engine.clock.sleep(ms, job.signal).catch(() => {})
}
