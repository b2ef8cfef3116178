import { type TSchema, Type } from '@sinclair/typebox'
import type { Envelope, Meta } from '../../model/envelope.ts'
import {
  AnyObject,
  AttemptStatusName,
  DecisionName,
  ErrorCodeName,
  enumOf,
  HintId,
  nullable,
  open,
  ReasonName,
  RouteName,
  WarningCodeName,
  WriteOutcomeName,
} from './schema-parts.ts'

export const AttemptSchema = Type.Object(
  {
    route: RouteName,
    status: AttemptStatusName,
    error_code: Type.Optional(ErrorCodeName),
    reason: Type.Optional(ReasonName),
    message: Type.Optional(Type.String()),
    duration_ms: Type.Optional(Type.Number({ description: 'Measured; absent when skipped.' })),
    started_ms: Type.Optional(Type.Number({ description: 'After the request began.' })),
    retry: Type.Optional(Type.Integer()),
    upstream_status: Type.Optional(Type.Integer()),
    upstream_request_id: Type.Optional(Type.String()),
    upstream_requests: Type.Optional(Type.Integer({ description: 'When not exactly one.' })),
    shared_by: Type.Optional(
      Type.Integer({ minimum: 2, description: 'Calls of a batch that one request served.' }),
    ),
    write_outcome: Type.Optional(WriteOutcomeName),
    retry_after_ms: Type.Optional(Type.Number()),
    next: Type.Optional(DecisionName),
    purpose: Type.Optional(
      enumOf(['verify'], 'One of the reads that find out whether a write was applied.'),
    ),
    capability_id: Type.Optional(
      Type.String({ description: 'What was called, where it is not what was asked for.' }),
    ),
  },
  open,
)

const WarningSchema = Type.Object(
  {
    code: WarningCodeName,
    message: Type.String(),
    path: Type.Optional(Type.String()),
    details: Type.Optional(AnyObject),
  },
  open,
)

const SuggestedCallSchema = Type.Object(
  {
    capability: Type.String(),
    input: Type.Object({}, { ...open, description: 'Valid as it stands.' }),
    reason: Type.Optional(Type.String()),
  },
  open,
)

export const MetaSchema = Type.Unsafe<Meta>(
  Type.Object(
    {
      capability_id: nullable(Type.String()),
      request_id: Type.String(),
      batch_id: Type.Optional(
        Type.String({ description: 'The request id of the batch that the call was one of.' }),
      ),
      route_used: nullable(RouteName),
      reason: nullable(ReasonName),
      attempts: Type.Array(AttemptSchema),
      duration_ms: Type.Number(),
      warnings: Type.Array(WarningSchema),
      next: Type.Optional(
        Type.Array(SuggestedCallSchema, { minItems: 1, description: 'Calls that may come next.' }),
      ),
    },
    open,
  ),
)

const NextSchema = Type.Object(
  {
    action: enumOf(
      ['retry', 'wait', 'fix_input', 'reauth', 'verify', 'ask_human', 'give_up'],
      'What the caller should do now.',
    ),
    after_ms: Type.Optional(Type.Number()),
    fields: Type.Optional(Type.Array(Type.String())),
    capability: Type.Optional(Type.String()),
    input: Type.Optional(Type.Unknown()),
  },
  open,
)

const ErrorSchema = Type.Object(
  {
    code: ErrorCodeName,
    message: Type.String(),
    retryable: Type.Boolean({ description: 'Could the same call, unchanged, succeed later?' }),
    retry_after_ms: nullable(Type.Number()),
    source: enumOf(['caller', 'gateway', 'upstream'], 'Whose doing it was.'),
    write_outcome: nullable(WriteOutcomeName),
    hint_id: HintId,
    next: NextSchema,
    details: AnyObject,
  },
  open,
)

/** The envelope of a success, around the endpoint's own data. */
export const successOf = <T extends TSchema>(data: T) =>
  Type.Object({ ok: Type.Literal(true), data, error: Type.Null(), meta: MetaSchema })

export const FailureEnvelope = Type.Unsafe<Extract<Envelope, { ok: false }>>(
  Type.Object({
    ok: Type.Literal(false),
    data: Type.Null(),
    error: ErrorSchema,
    meta: MetaSchema,
  }),
)
