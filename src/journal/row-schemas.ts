/** The rows that readers of the journal get. Each schema is the source of the type that has its name. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { AnswerFrom } from '../model/answer-from.ts'
import { AskedOptions } from '../model/asked-options.ts'
import { EnvelopeError, Meta } from '../model/envelope.ts'
import { WRITE_OUTCOMES } from '../model/errors.ts'
import { OneOf } from '../model/one-of.ts'
import { Plan } from '../model/plan.ts'
import { PURPOSES, REASONS } from '../model/reasons.ts'
import type { RequestOutcome } from '../model/request-outcome.ts'
import { ROUTES } from '../model/route.ts'
import {
  AttemptStatusName,
  DecisionName,
  EffectName,
  ErrorCodeName,
  nullable,
  ReasonName,
  RouteName,
} from '../model/schema-parts.ts'
import { Trace } from '../model/trace.ts'

const SkipReason = nullable(OneOf(REASONS, 'Why it was skipped; null for one that was tried.'))

const Purpose = nullable(OneOf(PURPOSES, 'A read that found out whether a write was applied.'))

/** One attempt in short, as the row of its request shows it. */
const TrailStep = Type.Object({
  route: RouteName,
  status: AttemptStatusName,
  code: nullable(ErrorCodeName),
  reason: SkipReason,
  duration_ms: nullable(Type.Number({ description: 'Null when it was skipped.' })),
  purpose: Purpose,
})
export type TrailStep = DeepReadonly<Static<typeof TrailStep>>

/** `GET /v1/requests`: one row a request. */
export const RequestRow = Type.Object({
  request_id: Type.String(),
  correlation_id: nullable(Type.String({ description: "The caller's own id for the request." })),
  trace_id: nullable(
    Type.String({ description: 'Its trace, where the caller or the gateway had one.' }),
  ),
  batch_id: nullable(Type.String({ description: 'The batch that the request was a call of.' })),
  batch_step: nullable(
    Type.String({ description: 'The id of the call in its batch; calls[2] for one without.' }),
  ),
  batch_item: nullable(
    Type.Integer({ description: 'The position of its item, for a call with for_each.' }),
  ),
  time: Type.String({ description: 'When the request began; RFC 3339, UTC, milliseconds.' }),
  caller: Type.String(),
  capability_id: nullable(Type.String()),
  ok: Type.Boolean(),
  code: nullable(ErrorCodeName),
  route_used: nullable(RouteName),
  reason: nullable(ReasonName),
  http_status: nullable(
    Type.Integer({ description: 'Null for a write that was in flight when a gateway died.' }),
  ),
  duration_ms: nullable(
    Type.Number({ description: 'Null for a write that was in flight when a gateway died.' }),
  ),
  attempts: Type.Integer({
    description:
      'How many it made. Skipped routes, reads that checked on a write, and attempts of another request are none.',
  }),
  write_outcome: nullable(
    OneOf(WRITE_OUTCOMES, 'unknown also for a write in flight when a gateway died.'),
  ),
  borrowed: Type.Boolean({
    description: 'Whether the attempts are those of another request, whose answer it got.',
  }),
  trail: Type.Array(TrailStep, { description: 'The attempts in short, in order.' }),
})
export type RequestRow = DeepReadonly<Static<typeof RequestRow>>

/** `GET /v1/attempts`: one row an attempt, skipped ones included. */
export const AttemptRow = Type.Object({
  request_id: Type.String(),
  index: Type.Integer({ description: 'Position among the attempts of its request, from 0.' }),
  time: Type.String({ description: 'When the attempt began; RFC 3339, UTC, milliseconds.' }),
  capability_id: nullable(
    Type.String({
      description: 'Of a read that verifies a write: its own, not that of the write.',
    }),
  ),
  caller: Type.String(),
  route: RouteName,
  status: AttemptStatusName,
  code: nullable(ErrorCodeName),
  reason: SkipReason,
  duration_ms: nullable(Type.Number({ description: 'Null when it was skipped.' })),
  upstream_status: nullable(Type.Integer()),
  next: nullable(DecisionName),
  purpose: Purpose,
})
export type AttemptRow = DeepReadonly<Static<typeof AttemptRow>>

/** `GET /v1/requests/{request_id}`: the row, and everything else that is kept of the request. */
export const RequestDetail = Type.Object({
  ...RequestRow.properties,
  upstream: nullable(Type.String()),
  effect: nullable(EffectName),
  plan: nullable(Plan),
  error: nullable(EnvelopeError),
  meta: Type.Union([Meta, Type.Null()], {
    description: 'Null when the gateway died before it answered.',
  }),
  input: Type.Unknown({ description: 'Redacted; null unless payloads are kept.' }),
  data: Type.Unknown({ description: 'Redacted; null unless payloads are kept.' }),
  trace: nullable(Trace),
  answer_from: Type.Union([AnswerFrom, Type.Null()], {
    description: "The other request that the answer comes from; null for the request's own.",
  }),
  options: Type.Union([AskedOptions, Type.Null()], {
    description: 'The options of the call; null without any.',
  }),
  idempotency_key_hash: nullable(
    Type.String({ description: 'The SHA-256 of its Idempotency-Key, in hex.' }),
  ),
})
export type RequestDetail = DeepReadonly<Static<typeof RequestDetail>>

const PageInfo = Type.Object({
  hasNextPage: Type.Boolean({ description: 'Are there older ones?' }),
  hasPreviousPage: Type.Boolean({ description: 'Are there newer ones, as far as is known?' }),
  startCursor: nullable(Type.String()),
  endCursor: nullable(Type.String()),
})

/** A page of a list. Its items are newest first, whichever way the reader pages. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pageInfo: PageInfo })

export interface Page<T> {
  readonly items: readonly T[]
  readonly pageInfo: DeepReadonly<Static<typeof PageInfo>>
}

/** A request as watchers get it: `id` is the position from which a stream can be resumed. */
export interface LiveRow {
  readonly id: string
  readonly row: RequestRow
}

const outcomeCounts = {
  first_try: Type.Integer({ description: 'Answered without retry, fallback and skipped route.' }),
  later_try: Type.Integer({
    description: 'Answered after a retry, a fallback or a skipped route.',
  }),
  failed: Type.Integer(),
  refused: Type.Integer({ description: 'Refused by the gateway before it tried a route.' }),
} satisfies Record<RequestOutcome, TSchema>

/** One capability in one span of time: its requests, or its attempts on one route. */
const StatsRow = Type.Object({
  time: Type.String({ description: 'When the span of time begins; RFC 3339, UTC.' }),
  capability_id: nullable(Type.String({ description: 'Null: the request reached none.' })),
  route: nullable(
    OneOf(ROUTES, 'Null: requests, as callers saw them. Else: attempts on this route.'),
  ),
  purpose: nullable(
    OneOf(PURPOSES, 'Attempts that verified writes. Those of calls are in a series of their own.'),
  ),
  count: Type.Integer({ description: 'Requests answered, or attempts that ran.' }),
  success: Type.Integer(),
  outcomes: nullable(
    Type.Object(outcomeCounts, {
      description: 'Requests by how they ended for the caller; null for attempts on a route.',
    }),
  ),
  success_rate: nullable(Type.Number({ description: '0 to 1; null when nothing ran.' })),
  skipped: Type.Integer({ description: 'How often this route was skipped.' }),
  fallbacks: Type.Integer({
    description:
      'Requests that another route answered than the first; attempts after which another route was tried.',
  }),
  fallback_rate: nullable(Type.Number({ description: '0 to 1; null when nothing ran.' })),
  codes: Type.Record(Type.String(), Type.Integer(), { description: 'Failures by error code.' }),
  p50_ms: nullable(Type.Number()),
  p95_ms: nullable(Type.Number()),
  p99_ms: nullable(Type.Number()),
})
export type StatsRow = DeepReadonly<Static<typeof StatsRow>>

const StatsTotal = Type.Object({
  ...StatsRow.properties,
  reasons: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Requests by reason: their own, and those for which they skipped routes; not CARD_PREFERRED. Empty for routes.',
  }),
  requests: nullable(
    Type.Object(
      { tried: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer() },
      {
        description: 'Requests that tried the route, failed on it, skipped it; null for requests.',
      },
    ),
  ),
})
export type StatsTotal = DeepReadonly<Static<typeof StatsTotal>>

const OutcomeBucket = Type.Object({ time: Type.String(), ...outcomeCounts })
export type OutcomeBucket = DeepReadonly<Static<typeof OutcomeBucket>>

const Before = Type.Object(
  { since: Type.String(), until: Type.String(), totals: Type.Array(StatsTotal) },
  { description: 'With compare=true: the same time before since, an hour at least.' },
)

const QuotaPoint = Type.Object({
  time: Type.String(),
  remaining: Type.Number({ description: 'The least of the span of time.' }),
  limit: nullable(Type.Number()),
  reset_at: nullable(Type.String()),
})
const CircuitPoint = Type.Object({
  time: Type.String(),
  state: OneOf(['open', 'half_open'], 'The worst of the span of time; no point: closed.'),
  minutes: Type.Integer({ description: 'In how many minutes the circuit was not closed.' }),
})

/** `GET /v1/upstreams/{upstream_id}/history`. */
export const UpstreamHistory = Type.Object({
  since: Type.String(),
  until: Type.String(),
  bucket_ms: Type.Integer(),
  quotas: Type.Array(
    Type.Object({
      pool: Type.String(),
      credential: nullable(Type.String()),
      points: Type.Array(QuotaPoint, { description: 'Where the quota changed, oldest first.' }),
    }),
  ),
  circuits: Type.Array(Type.Object({ route: RouteName, points: Type.Array(CircuitPoint) }), {
    description: 'Routes whose circuit was not closed all the time.',
  }),
})
export type UpstreamHistory = DeepReadonly<Static<typeof UpstreamHistory>>

/** `GET /v1/stats`. */
export const Stats = Type.Object({
  since: Type.String(),
  until: Type.String(),
  bucket_ms: Type.Integer(),
  totals: Type.Array(StatsTotal, { description: 'Over the whole time.' }),
  timeline: Type.Array(OutcomeBucket, {
    description:
      'Requests of all series together by how they ended, oldest first; empty ones are left out.',
  }),
  before: Type.Optional(Before),
  buckets: Type.Array(StatsRow, { description: 'Oldest first; empty ones are left out.' }),
})
export type Stats = DeepReadonly<Static<typeof Stats>>
