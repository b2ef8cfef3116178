/** The routing decision. Each schema is the source of the type that has its name. */
import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { BREAKER_KINDS } from './breaker.ts'
import { OneOf } from './one-of.ts'
import type { Route } from './route.ts'
import { ErrorCodeName, nullable, ReasonName, RouteName } from './schema-parts.ts'

/** A route's quota and breaker at the time of the plan. */
const RouteState = Type.Object({
  pool: nullable(Type.String({ description: 'Null when the card names none.' })),
  remaining: nullable(
    Type.Number({ description: 'As last reported; null when the upstream has not reported any.' }),
  ),
  reset_at: nullable(Type.String({ description: 'RFC 3339, UTC.' })),
  breaker: OneOf(BREAKER_KINDS, 'The circuit breaker of the route.'),
})
export type RouteState = DeepReadonly<Static<typeof RouteState>>

const Candidate = Type.Object({
  route: RouteName,
  reason: ReasonName,
  state: Type.Optional(RouteState),
})
export type Candidate = DeepReadonly<Static<typeof Candidate>>

const Skip = Type.Object({
  route: RouteName,
  code: ErrorCodeName,
  reason: ReasonName,
  message: Type.String(),
  fix: nullable(Type.String({ description: 'How to make the route usable.' })),
  retry_after_ms: nullable(
    Type.Number({ description: 'Until the route may be usable again, if known.' }),
  ),
  state: Type.Optional(RouteState),
})
export type Skip = DeepReadonly<Static<typeof Skip>>

/** The routing decision for one request, before it sends anything. */
export const Plan = Type.Object({
  capability_id: Type.String(),
  candidates: Type.Array(Candidate, { description: 'The routes to try, in order.' }),
  skipped: Type.Array(Skip, { description: 'The routes that will not be tried, and why.' }),
})
export type Plan = DeepReadonly<Static<typeof Plan>>

/** Whether memory would answer a call. */
const Recollection = Type.Object({
  answers: OneOf(
    ['yes', 'if_routes_fail', 'no'],
    'Whether an answer in memory is young enough for this call.',
  ),
  age_ms: nullable(
    Type.Number({ description: 'The age of that answer; null when there is none.' }),
  ),
})
export type Recollection = DeepReadonly<Static<typeof Recollection>>

/** Requests that follow a change. */
const PlannedStep = Type.Object({
  step: Type.String({ description: 'As the warning STEP_NOT_DONE names it.' }),
  purpose: Type.String(),
  subjects: Type.Optional(
    Type.Array(Type.String(), { description: 'A request is made for each of them.' }),
  ),
})
export type PlannedStep = DeepReadonly<Static<typeof PlannedStep>>

/** A plan as `explain` shows it. */
export const ExplainedPlan = Type.Composite([
  Plan,
  Type.Object({
    follow_ups: Type.Optional(
      Type.Array(PlannedStep, {
        description: 'The requests by which the first route follows the change, if there are any.',
      }),
    ),
    memory: Type.Optional(Recollection),
    needs_approval: Type.Optional(
      Type.Literal(true, { description: 'A person has to approve the call. Absent if not.' }),
    ),
  }),
])
export type ExplainedPlan = DeepReadonly<Static<typeof ExplainedPlan>>

/** The facts of a request that its plan depends on. */
export interface PlanRequest {
  /** Valid, and with defaults. */
  readonly input: Readonly<Record<string, unknown>>
  /** The caller's `?route=`. */
  readonly pin: Route | null
  /** The route that made the cursor in the input: no other can continue there. */
  readonly cursorRoute: Route | null
}
