import { type AttemptResult, attemptRoute } from './attempt.ts'
import type { Card, CardRoute } from './cards/card.ts'
import { withTimeout } from './deadline.ts'
import { backoffMs, decide, moreTelling } from './decide.ts'
import type { Engine } from './engine.ts'
import type { Attempt, Decision, Reason } from './envelope.ts'
import { elapsed, type Execution } from './execution.ts'
import type { Failure, Route } from './outcome.ts'
import type { Candidate, Plan } from './plan.ts'

/** How a request ended, before it is told in any dialect. */
export type Outcome =
  | { readonly ok: true; readonly data: unknown; readonly route: Route; readonly reason: Reason }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly route: Route | null
      readonly reason: Reason
    }

/** What the loop carries from one attempt to the next. */
interface Run {
  readonly engine: Engine
  readonly execution: Execution
  readonly card: Card
  readonly input: Readonly<Record<string, unknown>>
  /** The failure that explains the most so far, and where it happened. */
  told: { readonly failure: Failure; readonly route: Route } | null
  last: { readonly failure: Failure; readonly route: CardRoute } | null
}

/** Tries the candidates in order until one succeeds or the decision is to stop. */
export async function runPlan(
  engine: Engine,
  execution: Execution,
  card: Card,
  plan: Plan,
  input: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const run: Run = { engine, execution, card, input, told: null, last: null }
  for (const [index, candidate] of plan.candidates.entries()) {
    const route = routeOf(card, candidate)
    if (skipShared(run, route)) continue
    const outcome = await tryRoute(run, candidate, route, plan.candidates.slice(index + 1))
    if (outcome) return outcome
  }
  if (!run.told) throw new Error(`the plan of ${card.id} has no candidate`)
  return { ok: false, ...run.told, reason: 'ROUTE_FAILED' }
}

/** Calls one route, and again after a retryable failure. Null means: on to the next route. */
async function tryRoute(
  run: Run,
  candidate: Candidate,
  route: CardRoute,
  rest: readonly Candidate[],
): Promise<Outcome | null> {
  const { engine, execution, card } = run
  const changes = card.effect !== 'read'
  for (let retry = 0; ; retry++) {
    const startedMs = elapsed(execution)
    const hasNextRoute = rest.some(other => !sharesFate(run.last, routeOf(card, other)))
    const result = await timedAttempt(run, route, hasNextRoute)
    const durationMs = elapsed(execution) - startedMs
    if (result.ok) {
      execution.attempts.push(describe(route, result, { startedMs, durationMs, retry, changes }))
      execution.warnings.push(...result.warnings)
      return {
        ok: true,
        data: result.data,
        route: route.route,
        reason: successReason(run, candidate),
      }
    }
    const { failure } = result
    run.last = { failure, route }
    run.told = tellingOf(run.told, failure, route.route)
    const decision = decide(failure, {
      effect: card.effect,
      hasVerify: card.verify !== null,
      hasNextRoute: rest.some(other => !sharesFate(run.last, routeOf(card, other))),
      canRetry: retry < engine.policy.retries,
      remainingMs: execution.deadline.remaining() - engine.policy.reserveMs,
      callerGone: execution.request.signal?.aborted ?? false,
    })
    execution.attempts.push(
      describe(route, result, { startedMs, durationMs, retry, changes, next: decision }),
    )
    switch (decision) {
      case 'next_route':
        return null
      case 'retry_same':
        await engine.clock.sleep(
          failure.retryAfterMs ?? backoffMs(retry, engine.random),
          callerSignal(execution),
        )
        continue
      case 'verify':
      case 'give_up':
        return { ok: false, ...run.told, reason: endReason(card, failure) }
    }
  }
}

/** One attempt under its own time limit. While another route is left, an attempt may not use up the whole deadline. */
function timedAttempt(run: Run, route: CardRoute, hasNextRoute: boolean): Promise<AttemptResult> {
  const { engine, execution, card, input } = run
  const left = execution.deadline.remaining() - engine.policy.reserveMs
  const timeoutMs = Math.max(
    1,
    hasNextRoute ? Math.min(left, engine.policy.attemptTimeoutMs) : left,
  )
  // A change that has been sent is not abandoned because the caller left: its outcome would be lost.
  const outer = card.effect === 'read' ? (execution.request.signal ?? null) : null
  return withTimeout(timeoutMs, outer, signal =>
    attemptRoute(card, route, input, {
      signal,
      timeoutMs,
      effect: card.effect,
      credential: execution.credential,
      requestId: execution.id,
      ...(execution.request.traceparent ? { traceparent: execution.request.traceparent } : {}),
    }),
  )
}

/** Records a route that is not worth asking after what another has just answered. */
function skipShared({ last, execution, engine }: Run, route: CardRoute): boolean {
  const spent = execution.deadline.remaining() <= engine.policy.reserveMs
  if (!spent && !sharesFate(last, route)) return false
  const code = last?.failure.code
  execution.attempts.push({
    route: route.route,
    status: 'skipped',
    ...(code ? { error_code: code } : {}),
    reason: spent ? 'DEADLINE' : 'SHARED_FATE',
  })
  return true
}

/** Would this route fail for the reason that the last one did? */
function sharesFate(last: Run['last'], route: CardRoute): boolean {
  switch (last?.failure.sharedFate) {
    case 'credential':
    case 'host':
      return true
    case 'pool':
      return last.route.pool !== null && last.route.pool === route.pool
    default:
      return false
  }
}

function tellingOf(told: Run['told'], failure: Failure, route: Route): NonNullable<Run['told']> {
  if (!told) return { failure, route }
  return moreTelling(told.failure, failure) === told.failure ? told : { failure, route }
}

/** A route that served because another failed is a fallback, whatever the plan hoped. */
function successReason(run: Run, candidate: Candidate): Reason {
  return run.told && run.told.route !== candidate.route ? 'CARD_FALLBACK' : candidate.reason
}

function endReason(card: Card, failure: Failure): Reason {
  const ambiguous = card.effect === 'write' && failure.writeOutcome === 'unknown'
  if (ambiguous) return 'WRITE_OUTCOME_UNKNOWN'
  return failure.code === 'OUTPUT_INVALID' ? 'OUTPUT_VALIDATION' : 'ROUTE_FAILED'
}

interface Timing {
  readonly startedMs: number
  readonly durationMs: number
  readonly retry: number
  readonly changes: boolean
  readonly next?: Decision
}

function describe(route: CardRoute, result: AttemptResult, timing: Timing): Attempt {
  const { exchange } = result
  return {
    route: route.route,
    status: result.ok ? 'success' : 'error',
    ...(result.ok ? {} : { error_code: result.failure.code, message: result.failure.message }),
    duration_ms: round(timing.durationMs),
    started_ms: round(timing.startedMs),
    retry: timing.retry,
    ...(exchange.upstreamStatus === null ? {} : { upstream_status: exchange.upstreamStatus }),
    ...(exchange.upstreamRequestId === null
      ? {}
      : { upstream_request_id: exchange.upstreamRequestId }),
    ...(exchange.upstreamRequests === 1 ? {} : { upstream_requests: exchange.upstreamRequests }),
    ...(result.ok || !timing.changes ? {} : { write_outcome: result.failure.writeOutcome }),
    ...(result.ok || result.failure.retryAfterMs === null
      ? {}
      : { retry_after_ms: result.failure.retryAfterMs }),
    ...(timing.next ? { next: timing.next } : {}),
  }
}

export function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

const NEVER = new AbortController().signal

function callerSignal({ request }: Execution): AbortSignal {
  return request.signal ?? NEVER
}

function routeOf(card: Card, { route }: Candidate): CardRoute {
  const found = card.routes.find(cardRoute => cardRoute.route === route)
  if (!found) throw new Error(`${card.id} has no ${route} route`)
  return found
}
