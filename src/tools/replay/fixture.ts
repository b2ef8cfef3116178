import type { RequestDetail } from '../../journal/journal.ts'
import { version } from '../../lib/version.ts'
import type { Attempt, Reason } from '../../model/envelope.ts'
import { type ErrorCode, GatewayError } from '../../model/errors.ts'
import type { Route } from '../../model/outcome.ts'
import type { Trace } from '../../model/trace.ts'
import type { Plan } from '../../plan/plan.ts'

/**
 * One recorded request in a file: what was known, what was decided, what each attempt came to. It holds no
 * credential, and nothing of what the upstream said but codes and times.
 */
export interface Fixture {
  readonly signalbox_fixture: 1
  readonly exported_by: string
  readonly request_id: string
  readonly time: string
  readonly capability_id: string
  /** Redacted; null unless the journal keeps payloads. No decision depends on it. */
  readonly input: unknown
  /** With the state of each route's quota and breaker at that time. */
  readonly plan: Plan
  readonly trace: Trace
  readonly attempts: readonly FixtureAttempt[]
  readonly result: {
    readonly ok: boolean
    readonly code: ErrorCode | null
    readonly route_used: Route | null
    readonly reason: Reason | null
  }
}

export type FixtureAttempt = Pick<
  Attempt,
  'route' | 'status' | 'error_code' | 'reason' | 'retry' | 'next'
>

/** @throws {GatewayError} CONFLICT when the request made no decisions of its own. */
export function toFixture(detail: RequestDetail): Fixture {
  const { request_id, time, capability_id, input, plan, trace, meta } = detail
  if (!plan || !trace || !meta || capability_id === null) {
    throw undecided(
      'It was refused or interrupted before a plan was made, or recorded by an older version.',
    )
  }
  if (detail.reason === 'COALESCED' || detail.reason === 'IDEMPOTENT_REPLAY') {
    throw undecided('It was answered with the attempts of another request. Export that one.')
  }
  return {
    signalbox_fixture: 1,
    exported_by: version,
    request_id,
    time,
    capability_id,
    input,
    plan,
    trace,
    attempts: meta.attempts.map(toFixtureAttempt),
    result: {
      ok: detail.ok,
      code: detail.code,
      route_used: detail.route_used,
      reason: detail.reason,
    },
  }
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
