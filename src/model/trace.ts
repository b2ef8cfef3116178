import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { Attempt } from './envelope.ts'
import { FailureCore } from './failure.ts'
import { OneOf } from './one-of.ts'
import type { Verdict } from './outcome.ts'
import { DecisionName, nullable, RouteName } from './schema-parts.ts'

const AttemptStep = Type.Object({
  kind: Type.Literal('attempt'),
  capability_id: Type.String({
    description: "For a verifying read, its own capability instead of the request's.",
  }),
  route: RouteName,
  started_ms: Type.Number(),
  duration_ms: Type.Number(),
  failure: Type.Union([FailureCore, Type.Null()], { description: 'Null for a success.' }),
  upstream_status: nullable(Type.Integer()),
  next: nullable(DecisionName),
})

const VerdictStep = Type.Object({
  kind: Type.Literal('verdict'),
  verdict: OneOf<Verdict['kind']>(
    ['found', 'absent', 'unknown'],
    'Whether the write of unknown outcome was applied.',
  ),
})

/** An attempt with its result, or the verdict about a write of unknown outcome. */
const TraceStep = Type.Union([AttemptStep, VerdictStep])
export type TraceStep = DeepReadonly<Static<typeof TraceStep>>

/**
 * The facts behind the decisions about one request, apart from its plan: enough to replay them. The journal keeps
 * it, without messages and details of failures, since no decision depends on those.
 */
export const Trace = Type.Object({
  pin: nullable(RouteName),
  cursor_route: nullable(RouteName),
  has_credential: Type.Boolean(),
  timeout_ms: Type.Number({ description: 'The deadline of the whole request.' }),
  policy: Type.Object({
    attempt_timeout_ms: Type.Number(),
    reserve_ms: Type.Number(),
    retries: Type.Integer(),
  }),
  steps: Type.Array(TraceStep, { description: 'In the order of events.' }),
})
export type Trace = DeepReadonly<Static<typeof Trace>>

/** The trace step of an attempt; `failure` is null for a success. A verifying read names its own capability. */
export function toStep(
  capability: string,
  attempt: Attempt,
  failure: FailureCore | null,
): TraceStep {
  return {
    kind: 'attempt',
    capability_id: attempt.capability_id ?? capability,
    route: attempt.route,
    started_ms: attempt.started_ms ?? 0,
    duration_ms: attempt.duration_ms ?? 0,
    failure,
    upstream_status: attempt.upstream_status ?? null,
    next: attempt.next ?? null,
  }
}
