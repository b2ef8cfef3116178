import type { Run } from '../engine/run.ts'
import type { AttemptSpan } from '../engine/spans.ts'
import type { Building } from '../lib/building.ts'
import { TimeLimit } from '../lib/deadline.ts'
import type { CallContext } from '../model/adapter.ts'
import type { CardRoute } from '../model/card.ts'
import { createFailure, type Failure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Candidate } from '../model/plan.ts'
import type { Decision } from '../model/reasons.ts'
import {
  type AttemptTiming,
  describeAttempt,
  describeSkip,
  describeStep,
} from './attempt-record.ts'
import { type AttemptResult, attemptRoute } from './attempt-route.ts'
import { blameStop } from './broken-off.ts'
import { conclude, mostTelling, recordSharedFate, successReason } from './conclude.ts'
import { backoffMs, decide } from './decide.ts'
import { unsentFollowUps } from './follow-ups.ts'
import { learn } from './learn.ts'
import { attemptTime, hasNextRoute, isSpent, routeOf } from './limits.ts'
import { notedIdentity } from './noted-identity.ts'
import { sharesFate } from './shared-fate.ts'
import { withCredential } from './with-credential.ts'

/** Tries the candidates in order until one succeeds or the decision is to stop. */
export function runPlan(run: Run): PromiseLike<Outcome> {
  const { engine, card, plan } = run
  engine.state.retryBudget.earn(card.upstream.id)
  return tryRoutes(run, plan.candidates)
}

function tryRoutes(run: Run, candidates: readonly Candidate[]): PromiseLike<Outcome> {
  const [candidate, ...rest] = candidates
  if (candidate === undefined) return Promise.resolve(lastFailure(run))
  const route = routeOf(run.card, candidate)
  if (skip(run, route)) return tryRoutes(run, rest)
  const attempt = () =>
    tryRoute(run, candidate, route, rest).then(outcome => outcome ?? tryRoutes(run, rest))
  if (!isContested(run, route, rest)) return attempt()
  return leaveToProbe(run, route).then(isLeft => (isLeft ? tryRoutes(run, rest) : attempt()))
}

function lastFailure({ explained }: Run): Outcome {
  const reported = explained ?? { failure: NOTHING_SENT, route: null }
  return { ok: false, ...reported, reason: 'ROUTE_FAILED' }
}

const NOTHING_SENT = createFailure(
  'TIMEOUT',
  'The deadline passed before anything could be sent. Give the call a longer timeout_ms.',
  { fallback: false, writeOutcome: 'not_applied' },
)

/** Calls one route, and again after a retryable failure. Null: go on to the next route. */
function tryRoute(
  run: Run,
  candidate: Candidate,
  route: CardRoute,
  rest: readonly Candidate[],
  retry = 0,
): PromiseLike<Outcome | null> {
  const { clock } = run.engine
  const started = clock.monotonic()
  const limit = beginAttempt(run, route, hasNextRoute(run, rest))
  const ended = (found: AttemptResult) => {
    limit.end()
    const result = blameStop(found, run.engine.isCutOff())
    const timing = { started, ended: clock.monotonic(), retry }
    learn(run, route, result)
    return result.ok
      ? succeed(run, candidate, route, result, timing)
      : goOn(run, candidate, route, rest, result, timing)
  }
  const broken = (error: unknown) => {
    limit.end()
    throw error
  }
  try {
    return send(run, route, limit).then(ended, broken)
  } catch (error) {
    return broken(error)
  }
}

/** Decides after a failure, and carries out the decision. Synchronous if the next route is tried at once. */
function goOn(
  run: Run,
  candidate: Candidate,
  route: CardRoute,
  rest: readonly Candidate[],
  result: Extract<AttemptResult, { ok: false }>,
  timing: AttemptTiming,
): Promise<Outcome | null> | null {
  const { retry } = timing
  const { failure } = result
  fail(run, route, failure)
  const decision = decideNext(run, failure, rest, retry)
  note(run, route, result, timing, decision)
  if (decision === 'next_route') return null
  return follow(run, decision, failure, route, rest, retry).then(next =>
    next === 'again' ? tryRoute(run, candidate, route, rest, retry + 1) : next,
  )
}

function succeed(
  run: Run,
  candidate: Candidate,
  route: CardRoute,
  result: Extract<AttemptResult, { ok: true }>,
  timing: AttemptTiming,
): Outcome {
  note(run, route, result, timing, null)
  run.warnings.push(...result.warnings)
  const reason = successReason(run, candidate, result)
  const answered = { ok: true, data: result.data, route: route.route, reason } as const
  const { confirms } = result.exchange
  return confirms === undefined ? answered : { ...answered, confirms }
}

function fail(run: Run, route: CardRoute, failure: Failure): void {
  run.lastFailed = { failure, route }
  run.explained = mostTelling(run, failure, route.route)
}

function note(
  run: Run,
  route: CardRoute,
  result: AttemptResult,
  timing: AttemptTiming,
  decision: Decision | null,
): void {
  const record = describeAttempt(run, route, result, timing, decision)
  run.attempts.push(record)
  run.steps.push(describeStep(run, record, result))
}

/** Carries out a decision. `again` calls the same route once more; null goes on to the next. */
async function follow(
  run: Run,
  decision: Decision,
  failure: Failure,
  route: CardRoute,
  rest: readonly Candidate[],
  retry: number,
): Promise<Outcome | null | 'again'> {
  switch (decision) {
    case 'next_route':
      return null
    case 'retry_same':
      return (await waitToRetry(run, failure, retry)) ? 'again' : conclude(run, failure)
    case 'give_up':
      recordSharedFate(run, rest)
      return conclude(run, failure)
    case 'verify':
      return await verify(run, failure, route, rest, retry)
  }
}

/** False when the caller has left meanwhile, or the time is up. */
async function waitToRetry(run: Run, failure: Failure, retry: number): Promise<boolean> {
  const { engine, card, signal } = run
  engine.state.retryBudget.spend(card.upstream.id)
  const ms = failure.retryAfterMs ?? backoffMs(retry, engine.random)
  await engine.clock.sleep(ms, signal).catch(() => {})
  return !signal.aborted && !isSpent(run)
}

/** Looks whether the write happened. If it certainly did not, decides again as for a write that was not applied. */
async function verify(
  run: Run,
  failure: Failure,
  route: CardRoute,
  rest: readonly Candidate[],
  retry: number,
): Promise<Outcome | null | 'again'> {
  const verdict = await run.verify(run.time)
  run.steps.push({ kind: 'verdict', verdict: verdict.kind })
  if (verdict.kind === 'found') {
    const unsent = (request: string) => `${request} was not sent, as the answer was lost.`
    run.warnings.push(...unsentFollowUps(route.followUps, run.input, unsent))
    return { ok: true, data: verdict.data, route: route.route, reason: 'RECOVERED' }
  }
  if (verdict.kind === 'unknown') return conclude(run, failure)
  const absent: Failure = { ...failure, writeOutcome: 'not_applied' }
  run.lastFailed = { failure: absent, route }
  run.explained = { failure: absent, route: route.route }
  return await follow(run, decideNext(run, absent, rest, retry), absent, route, rest, retry)
}

function decideNext(
  run: Run,
  failure: Failure,
  rest: readonly Candidate[],
  retry: number,
): Decision {
  const { engine, card, deadline, signal } = run
  return decide(failure, {
    effect: card.effect,
    hasVerify: card.verify !== null,
    hasNextRoute: hasNextRoute(run, rest),
    canRetry: retry < engine.policy.retries && engine.state.retryBudget.has(card.upstream.id),
    remainingMs: deadline.remaining() - engine.policy.reserveMs,
    callerGone: signal.aborted,
  })
}

/** The time limit of one attempt, which begins now. */
function beginAttempt(run: Run, route: CardRoute, mayFallBack: boolean): TimeLimit {
  const { engine, card } = run
  engine.state.breakers.begin(route.breaker, engine.clock.now())
  // Don't abandon a write that was sent because its caller left: its outcome would be lost.
  return new TimeLimit(attemptTime(run, mayFallBack), card.effect === 'read' ? run.signal : null)
}

function send(
  run: Run,
  route: CardRoute,
  { timeoutMs, signal }: TimeLimit,
): PromiseLike<AttemptResult> {
  const { engine, card, credential: identity, requestId, batch, held, input } = run
  const { clock, state } = engine
  const span = spanFor(run, route)
  const traceparent = span?.traceparent ?? run.traceparent
  const begun = clock.monotonic()
  return withCredential(
    notedIdentity(identity, engine.decisions),
    route.needs,
    signal,
    credential => {
      const context: Building<CallContext> = {
        signal,
        effect: card.effect,
        requestId,
        held,
        timeoutMs: Math.max(0, timeoutMs - (clock.monotonic() - begun)),
        credential,
        mayChange: run.mayChange,
      }
      if (traceparent !== null) context.traceparent = traceparent
      if (span !== null) context.onSent = sent => span.sent(sent, credential?.secrets ?? [])
      if (batch !== null) context.batch = batch
      return attemptRoute(card, route, input, context, state.revalidation)
    },
  )
}

/** Null when no collector of traces is configured. */
function spanFor({ engine, spans, card, deadline }: Run, { route }: CardRoute): AttemptSpan | null {
  if (spans === null) return null
  const startedMs = engine.clock.monotonic() - deadline.startedAt
  return spans.beginAttempt(card.upstream.id, route, startedMs)
}

/** Skips a route that would fail like the one before, or that there is no time for. */
function skip(run: Run, route: CardRoute): boolean {
  const { lastFailed, attempts } = run
  const spent = isSpent(run)
  if (!spent && !sharesFate(lastFailed, route)) return false
  const code = lastFailed?.failure.code ?? 'TIMEOUT'
  attempts.push(describeSkip(run, route, spent ? 'DEADLINE' : 'SHARED_FATE', code))
  return true
}

/** Whether another gateway may be probing this circuit, and another route is left to take meanwhile. */
function isContested(run: Run, { breaker }: CardRoute, rest: readonly Candidate[]): boolean {
  const { state, clock } = run.engine
  return state.breakers.needsLease(breaker, clock.now()) && hasNextRoute(run, rest)
}

/** Skips a route whose circuit somebody else is probing. */
async function leaveToProbe(run: Run, route: CardRoute): Promise<boolean> {
  const { state, clock } = run.engine
  if (await state.breakers.takeLease(route.breaker, clock.now())) return false
  run.attempts.push(describeSkip(run, route, 'CIRCUIT_OPEN', 'SERVER'))
  return true
}
