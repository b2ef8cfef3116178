/** The answer to a call, in the profile `default`. Each schema is the source of the type that has its name. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { JsonText } from '../lib/json-text.ts'
import { ERROR_SOURCES } from './errors.ts'
import { OneOf } from './one-of.ts'
import { NEXT_ACTIONS, PURPOSES, REASONS } from './reasons.ts'
import {
  AnyObject,
  AttemptStatusName,
  DecisionName,
  ErrorCodeName,
  HintId,
  nullable,
  open,
  ReasonName,
  RouteName,
  WriteOutcomeName,
} from './schema-parts.ts'
import type { Subject } from './subject.ts'
import { Warning } from './warnings.ts'

const Milliseconds = (description: string) => Type.Number({ description })

/** One row of `meta.attempts`: a call on a route, or a skipped route. */
export const Attempt = Type.Object(
  {
    route: RouteName,
    status: AttemptStatusName,
    error_code: Type.Optional(ErrorCodeName),
    reason: Type.Optional(OneOf(REASONS, 'Why it was skipped.')),
    message: Type.Optional(Type.String()),
    duration_ms: Type.Optional(Milliseconds('Measured; absent when skipped.')),
    started_ms: Type.Optional(
      Milliseconds('From the start of the request to that of the attempt.'),
    ),
    retry: Type.Optional(Type.Integer({ description: '0 for the first call on a route.' })),
    upstream_status: Type.Optional(Type.Integer()),
    upstream_request_id: Type.Optional(Type.String()),
    upstream_requests: Type.Optional(
      Type.Integer({ description: 'Requests sent upstream, when not exactly one.' }),
    ),
    shared_by: Type.Optional(
      Type.Integer({ minimum: 2, description: 'Calls of a batch that shared the request.' }),
    ),
    write_outcome: Type.Optional(WriteOutcomeName),
    retry_after_ms: Type.Optional(Type.Number()),
    next: Type.Optional(DecisionName),
    purpose: Type.Optional(OneOf(PURPOSES, 'A read that checks whether a write was applied.')),
    capability_id: Type.Optional(
      Type.String({ description: 'The capability called, when it is not the requested one.' }),
    ),
  },
  open,
)
export type Attempt = DeepReadonly<Static<typeof Attempt>>

/** A call that may come next: it exists, its input is valid, and it differs from the call just made. */
const Tool = Type.String({ description: 'Over MCP: the name of its tool.' })

export const SuggestedCall = Type.Object(
  {
    capability: Type.String(),
    tool: Type.Optional(Tool),
    input: Type.Unsafe<Record<string, unknown>>({
      ...AnyObject,
      description: 'Complete and valid.',
    }),
    reason: Type.Optional(Type.String()),
  },
  open,
)
export type SuggestedCall = DeepReadonly<Static<typeof SuggestedCall>>

export const Meta = Type.Object(
  {
    capability_id: nullable(
      Type.String({ description: 'Null when the request never reached a capability.' }),
    ),
    request_id: Type.String(),
    correlation_id: Type.Optional(
      Type.String({ description: "The caller's own id for the call, if it sent one." }),
    ),
    trace_id: Type.Optional(
      Type.String({
        description: 'The trace of the call, where the caller or the gateway has one.',
      }),
    ),
    approval_id: Type.Optional(
      Type.String({ description: 'The approval by which a person let the call run.' }),
    ),
    batch_id: Type.Optional(
      Type.String({ description: 'The request id of the batch that the call was part of.' }),
    ),
    batch_step: Type.Optional(
      Type.String({ description: 'The id of the call in its batch; calls[2] for one without.' }),
    ),
    batch_item: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The position of its item, with for_each.' }),
    ),
    route_used: nullable(RouteName),
    reason: nullable(ReasonName),
    attempts: Type.Array(Attempt),
    age_ms: Type.Optional(
      Milliseconds('The age of an answer from memory; absent when the upstream was asked.'),
    ),
    duration_ms: Type.Number(),
    warnings: Type.Array(Warning),
    untrusted: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          'Where data has text that others wrote, such as items[].body: it may want to steer its reader.',
      }),
    ),
    next: Type.Optional(
      Type.Array(SuggestedCall, { minItems: 1, description: 'Calls that may come next.' }),
    ),
  },
  open,
)
export type Meta = DeepReadonly<Static<typeof Meta>>

/** The advice to the caller after an error. */
export const Next = Type.Object(
  {
    action: OneOf(NEXT_ACTIONS, 'What the caller should do now.'),
    after_ms: Type.Optional(Milliseconds('To wait, with wait and retry.')),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Members of the input to change, with fix_input.' }),
    ),
    capability: Type.Optional(
      Type.String({ description: 'The call that shows what happened, or how the work goes on.' }),
    ),
    tool: Type.Optional(Tool),
    input: Type.Optional(Type.Unknown()),
    approval_id: Type.Optional(
      Type.String({ description: 'The approval that the call waits for.' }),
    ),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the approval lapses.' }),
    ),
    url: Type.Optional(Type.String({ description: 'Where a person can approve the call.' })),
  },
  open,
)
export type Next = DeepReadonly<Static<typeof Next>>

export const EnvelopeError = Type.Object(
  {
    code: ErrorCodeName,
    message: Type.String(),
    retryable: Type.Boolean({ description: 'Whether the same call may be sent again.' }),
    retry_after_ms: nullable(Type.Number()),
    source: OneOf(ERROR_SOURCES, 'Who caused it.'),
    write_outcome: Type.Union([WriteOutcomeName, Type.Null()], {
      description: 'Null unless the capability changes something.',
    }),
    hint_id: HintId,
    next: Next,
    details: AnyObject,
  },
  open,
)
export type EnvelopeError = DeepReadonly<Static<typeof EnvelopeError>>

/** The envelope of a success, around an endpoint's own data. The order of its keys is part of the contract. */
export const successOf = <T extends TSchema>(data: T) =>
  Type.Object({ ok: Type.Literal(true), data, error: Type.Null(), meta: Meta })

export const FailureEnvelope = Type.Object({
  ok: Type.Literal(false),
  data: Type.Null(),
  error: EnvelopeError,
  meta: Meta,
})

const SuccessEnvelope = successOf(Type.Unknown())
export type Envelope = DeepReadonly<Static<typeof SuccessEnvelope> | Static<typeof FailureEnvelope>>

/** An envelope and the HTTP status that goes with it. */
export interface Answer {
  readonly envelope: Envelope
  readonly status: number
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true
  /** `meta.attempts` are those of another request; this one sent nothing. */
  readonly borrowed?: true
  /** The JSON of `envelope.meta`, which the journal and the dialect `default` both need. */
  readonly metaJson?: JsonText
  /** The same for `envelope.data`. */
  readonly dataJson?: JsonText
  /** The context of the call. Absent when it reached no capability, and in stored answers. */
  readonly subject?: Subject
}

/** Appends warnings to those of an envelope. */
export function withWarnings<T extends Envelope>(envelope: T, warnings: readonly Warning[]): T {
  if (warnings.length === 0) return envelope
  const { meta } = envelope
  return { ...envelope, meta: { ...meta, warnings: [...meta.warnings, ...warnings] } }
}
