import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { version } from '../lib/version.ts'
import { Attempt } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import { isOverBudget } from '../model/over-budget.ts'
import { Plan } from '../model/plan.ts'
import { Trace } from '../model/trace.ts'
import { RequestDetail } from './row-schemas.ts'

const FixtureAttempt = Type.Pick(Attempt, [
  'route',
  'status',
  'error_code',
  'reason',
  'retry',
  'next',
])
export type FixtureAttempt = DeepReadonly<Static<typeof FixtureAttempt>>

/**
 * One recorded request as a file: the facts that the gateway had, its decisions, and the result of each attempt.
 * It holds no credential, and only codes and times of the upstream's answers.
 */
export const Fixture = Type.Object({
  signalbox_fixture: Type.Literal(1),
  exported_by: Type.String({ description: 'Version of the gateway.' }),
  request_id: Type.String(),
  time: Type.String({ description: 'When the request began; RFC 3339, UTC, milliseconds.' }),
  capability_id: Type.String(),
  input: Type.Unknown({
    description: 'Redacted; null unless payloads are kept. The decisions do not depend on it.',
  }),
  plan: Plan,
  trace: Trace,
  attempts: Type.Array(FixtureAttempt),
  result: Type.Pick(RequestDetail, ['ok', 'code', 'route_used', 'reason']),
})
export type Fixture = DeepReadonly<Static<typeof Fixture>>

/** @throws {GatewayError} CONFLICT if the request made no decisions of its own. */
export function toFixture(detail: RequestDetail): Fixture {
  const { request_id, time, capability_id, input, plan, trace, meta } = detail
  if (detail.reason === 'CACHE_HIT') throw undecided('Its answer came from memory.')
  if (!plan || !trace || !meta || capability_id === null) {
    throw undecided(
      'It was refused or interrupted before it was planned, or an older version recorded it.',
    )
  }
  if (detail.answer_from?.borrowed) {
    throw undecided('Its answer came from another request. Export that one.')
  }
  const fixture = {
    signalbox_fixture: 1 as const,
    exported_by: version,
    request_id,
    time,
    capability_id,
    input,
    plan,
    trace,
    attempts: meta.attempts.map(toFixtureAttempt),
    result: resultOf(detail),
  }
  requireDecisions(fixture)
  return fixture
}

/** The result of the routes, whatever the caller's budget left of it. */
function resultOf({ ok, code, route_used, reason, error }: RequestDetail): Fixture['result'] {
  const ended = isOverBudget(error) ? { ok: true, code: null } : { ok, code }
  return { ...ended, route_used, reason }
}

/**
 * A call that an approval, an Idempotency-Key, a check of an interrupted write or its deadline ended before its first attempt has a
 * plan, but nothing that decided between its routes. A plan without candidates is a decision itself.
 * @throws {GatewayError} CONFLICT
 */
export function requireDecisions({
  capability_id,
  plan: { candidates },
  trace,
  attempts,
}: Pick<Fixture, 'capability_id' | 'plan' | 'trace' | 'attempts'>): void {
  const isTried = trace.steps.some(
    step => step.kind === 'attempt' && step.capability_id === capability_id,
  )
  const planned = new Set(candidates.map(({ route }) => route))
  const isSkipped = attempts.some(one => one.status === 'skipped' && planned.has(one.route))
  if (candidates.length > 0 && !isTried && !isSkipped)
    throw undecided('It ended before the first attempt of its plan.')
}

export function toFixtureAttempt(attempt: Attempt): FixtureAttempt {
  const { route, status, error_code, reason, retry, next } = attempt
  return {
    route,
    status,
    ...(error_code === undefined ? {} : { error_code }),
    ...(reason === undefined ? {} : { reason }),
    ...(retry === undefined ? {} : { retry }),
    ...(next === undefined ? {} : { next }),
  }
}

function undecided(why: string): GatewayError {
  return new GatewayError('CONFLICT', `This request has no decisions to export. ${why}`, {
    source: 'caller',
  })
}
