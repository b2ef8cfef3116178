import { type Static, Type } from '@sinclair/typebox'
import { runPlan } from '../../attempt/run-plan.ts'
import { findCard } from '../../cards/catalog.ts'
import { createState, type Engine } from '../../engine/engine.ts'
import { beginRun, type Run } from '../../engine/run.ts'
import { type Fixture, requireDecisions, toFixtureAttempt } from '../../journal/fixture.ts'
import { unlimitedHold } from '../../lib/byte-budget.ts'
import { Deadline } from '../../lib/deadline.ts'
import type { DeepReadonly } from '../../lib/deep-readonly.ts'
import { NEVER } from '../../lib/signal.ts'
import type { Card } from '../../model/card.ts'
import type { Outcome, Verdict } from '../../model/outcome.ts'
import type { Plan, Skip } from '../../model/plan.ts'
import type { Reason } from '../../model/reasons.ts'
import type { Route } from '../../model/route.ts'
import { planRoutes, type RouteHealth } from '../../plan/plan.ts'
import type { Breakers } from '../../state/breakers.ts'
import { compare, type Decisions, Difference } from './compare.ts'
import { UnrecordedError, withRecordedRoutes } from './recorded-routes.ts'
import { VirtualClock } from './virtual-clock.ts'

/** The decisions about a recorded request that come out differently now. */
export const ReplayReport = Type.Object({
  same: Type.Boolean(),
  capability_id: Type.String(),
  differences: Type.Array(Difference, { description: 'In the order of the decisions.' }),
})
export type ReplayReport = DeepReadonly<Static<typeof ReplayReport>>

/**
 * Makes the decisions of a recorded request again with today's cards and settings. The planner and the loop
 * are the real ones. Quotas, breakers and the results of attempts come from the recording.
 * @throws {GatewayError} NOT_FOUND when the capability no longer exists, CONFLICT when an older version exported a request
 * without decisions.
 */
export async function replay(engine: Engine, fixture: Fixture): Promise<ReplayReport> {
  requireDecisions(fixture)
  const clock = new VirtualClock(Date.parse(fixture.time))
  const { pin, cursor_route } = fixture.trace
  const current = findCard(engine.catalog, fixture.capability_id)
  const card = withRecordedRoutes(current, fixture, clock)
  const request = { input: {}, pin, cursorRoute: cursor_route }
  const plan = planRoutes(card, request, recordedHealth(fixture.plan))
  const state = createState(engine.state.idempotency, clock.now())
  const run = createRun({ ...engine, clock, state }, fixture, { card, plan })
  restoreBreakers(state.breakers, card, fixture)
  const ended = await decideAgain(run)
  const now: Decisions = { plan, attempts: run.attempts.map(toFixtureAttempt), ...ended }
  const differences = compare(fixture, now)
  return { same: differences.length === 0, capability_id: card.id, differences }
}

/** Returns the outcome, or the error of the first call that the recording lacks. */
async function decideAgain(
  run: Run,
): Promise<{ readonly outcome: Outcome | null; readonly unrecorded: UnrecordedError | null }> {
  if (run.plan.candidates.length === 0) return { outcome: null, unrecorded: null }
  try {
    return { outcome: await runPlan(run), unrecorded: null }
  } catch (error) {
    if (!(error instanceof UnrecordedError)) throw error
    return { outcome: null, unrecorded: error }
  }
}

/** Opens the breakers of planned routes that were skipped because another gateway was probing them. */
function restoreBreakers(breakers: Breakers, card: Card, { plan, attempts }: Fixture): void {
  const planned = new Set(plan.candidates.map(({ route }) => route))
  const skipped = attempts.filter(
    ({ route, reason }) => reason === 'CIRCUIT_OPEN' && planned.has(route),
  )
  for (const { route } of skipped) {
    const breaker = card.routes.find(one => one.route === route)?.breaker
    if (breaker) breakers.adopt(breaker, { kind: 'open', until: 0, waitMs: 0 })
  }
  // The recording gateway still holds the probe. The other breakers are closed and ask for no lease.
  breakers.lease = { take: async () => false, release: () => {} }
}

function createRun(
  engine: Engine,
  { request_id, trace }: Fixture,
  { card, plan }: Pick<Run, 'card' | 'plan'>,
): Run {
  const { clock } = engine
  const verdicts = trace.steps.filter(step => step.kind === 'verdict')
  return beginRun({
    engine,
    card,
    plan,
    input: {},
    credential: null,
    requestId: request_id,
    traceparent: null,
    spans: null,
    batch: null,
    held: unlimitedHold(),
    deadline: new Deadline(clock, trace.timeout_ms),
    time: clock.now(),
    signal: NEVER,
    attempts: [],
    steps: [],
    warnings: [],
    verify: async (): Promise<Verdict> => {
      const step = verdicts.shift()
      if (!step) throw new UnrecordedError(null)
      return step.verdict === 'found' ? { kind: 'found', data: null } : { kind: step.verdict }
    },
  })
}

/** Derives the health of each route at that time from the recorded plan. */
function recordedHealth({ candidates, skipped }: Plan): ReadonlyMap<Route, RouteHealth> {
  const health = new Map<Route, RouteHealth>()
  for (const { route, state } of candidates) {
    // A plan includes a route with an open breaker only if every route was open.
    const circuitInMs = state?.breaker === 'open' ? 1 : null
    health.set(route, { ...HEALTHY, pool: state?.pool ?? null, circuitInMs })
  }
  for (const skip of skipped) health.set(skip.route, healthOfSkipped(skip))
  return health
}

function healthOfSkipped({ reason, message, fix, retry_after_ms, state }: Skip): RouteHealth {
  const cannot = reason === 'CLI_NOT_AVAILABLE' || reason === 'ADAPTER_UNSUPPORTED'
  const told = { message, fix: fix ?? '' }
  return {
    lacking: LACKS.includes(reason) ? told : null,
    unavailable: cannot ? { reason, ...told } : null,
    pool: state?.pool ?? null,
    ...waitOf(reason, retry_after_ms ?? 1),
  }
}

function waitOf(reason: Reason, ms: number): Pick<RouteHealth, 'quotaInMs' | 'circuitInMs'> {
  const isQuota = reason === 'QUOTA_EXHAUSTED' || reason === 'SHARED_FATE'
  return { quotaInMs: isQuota ? ms : null, circuitInMs: reason === 'CIRCUIT_OPEN' ? ms : null }
}

const LACKS: readonly string[] = ['NO_CREDENTIAL', 'CLI_UNAUTHENTICATED']

const HEALTHY = { lacking: null, unavailable: null, quotaInMs: null } as const
