import { version } from '../lib/version.ts'
import type { Attempt } from '../model/envelope.ts'
import { type ErrorCode, GatewayError } from '../model/errors.ts'
import type { Reason } from '../model/reasons.ts'
import type { Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'
import type { RequestDetail } from './row-schemas.ts'

/**
 * One recorded request as a file: the facts that the gateway had, its decisions, and the result of each attempt.
 * It holds no credential, and only codes and times of the upstream's answers.
 */
export interface Fixture {
  readonly signalbox_fixture: 1
  readonly exported_by: string
  readonly request_id: string
  readonly time: string
  readonly capability_id: string
  /** Redacted; null unless the journal keeps payloads. The decisions do not depend on it. */
  readonly input: unknown
  /** Includes the state of each route's quota and breaker at that time. */
  readonly plan: NonNullable<RequestDetail['plan']>
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

/** @throws {GatewayError} CONFLICT if the request made no decisions of its own. */
export function toFixture(detail: RequestDetail): Fixture {
  const { request_id, time, capability_id, input, plan, trace, meta } = detail
  if (!plan || !trace || !meta || capability_id === null) {
    throw undecided(
      'It was refused or interrupted before it was planned, or an older version recorded it.',
    )
  }
  if (detail.reason === 'COALESCED' || detail.reason === 'IDEMPOTENT_REPLAY') {
    throw undecided('Its answer came from another request. Export that one.')
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
