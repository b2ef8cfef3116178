import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Envelope, type Meta, REASONS } from '../../src/envelope.ts'
import { ERROR_CODES } from '../../src/errors.ts'
import { ROUTES } from '../../src/outcome.ts'

/** The wire forms that endpoints share. Every answer is one of these envelopes. */

const enumOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const open = { additionalProperties: true } as const

export const RouteName = enumOf(ROUTES, 'A way to reach the upstream.')
export const ErrorCodeName = enumOf(ERROR_CODES, 'Normalized error code; closed set.')
const ReasonName = enumOf(REASONS, 'Why a route was taken, or not; closed set.')

export const AttemptSchema = Type.Object(
  {
    route: RouteName,
    status: enumOf(['success', 'error', 'skipped'], 'How the attempt ended.'),
    error_code: Type.Optional(ErrorCodeName),
    reason: Type.Optional(ReasonName),
    message: Type.Optional(Type.String()),
    duration_ms: Type.Optional(Type.Number({ description: 'Measured; absent when skipped.' })),
    started_ms: Type.Optional(Type.Number({ description: 'After the request began.' })),
    retry: Type.Optional(Type.Integer()),
    upstream_status: Type.Optional(Type.Integer()),
    upstream_request_id: Type.Optional(Type.String()),
    upstream_requests: Type.Optional(Type.Integer({ description: 'When not exactly one.' })),
    write_outcome: Type.Optional(
      enumOf(['not_applied', 'unknown', 'applied'], 'What is known of the write.'),
    ),
    retry_after_ms: Type.Optional(Type.Number()),
    next: Type.Optional(
      enumOf(['retry_same', 'next_route', 'give_up', 'verify'], 'What was decided after it.'),
    ),
  },
  open,
)

const WarningSchema = Type.Object(
  { code: Type.String(), message: Type.String(), path: Type.Optional(Type.String()) },
  open,
)

export const MetaSchema = Type.Unsafe<Meta>(
  Type.Object(
    {
      capability_id: nullable(Type.String()),
      request_id: Type.String(),
      route_used: nullable(RouteName),
      reason: nullable(ReasonName),
      attempts: Type.Array(AttemptSchema),
      duration_ms: Type.Number(),
      warnings: Type.Array(WarningSchema),
    },
    open,
  ),
)

const ErrorSchema = Type.Object(
  {
    code: ErrorCodeName,
    message: Type.String(),
    retryable: Type.Boolean({ description: 'Could the same call, unchanged, succeed later?' }),
    retry_after_ms: nullable(Type.Number()),
    source: enumOf(['caller', 'gateway', 'upstream'], 'Whose doing it was.'),
    write_outcome: nullable(
      enumOf(['not_applied', 'unknown', 'applied'], 'What is known of the write.'),
    ),
    hint_id: Type.String(),
    next: Type.Object(
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
    ),
    details: Type.Object({}, open),
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

export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: listOf(item),
    pageInfo: Type.Object({
      hasNextPage: Type.Boolean({ description: 'Are there older ones?' }),
      hasPreviousPage: Type.Boolean({ description: 'Are there newer ones, as far as is known?' }),
      startCursor: nullable(Type.String()),
      endCursor: nullable(Type.String()),
    }),
  })

/** Handlers give readonly arrays, which TypeBox's own arrays do not accept. */
export const listOf = <T extends TSchema>(item: T) =>
  Type.Unsafe<readonly Static<T>[]>(Type.Array(item))

/** The answers of an endpoint: its own success, and a failure envelope for everything else. */
export const answersOf = <T extends TSchema>(data: T) => ({
  200: successOf(data),
  '4xx': FailureEnvelope,
  '5xx': FailureEnvelope,
})
