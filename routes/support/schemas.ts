import { type TSchema, Type } from '@sinclair/typebox'
import { ErrorCodeName, listOf, RouteName } from '../../src/model/schema-parts.ts'
import {
  AttemptSchema,
  FailureEnvelope,
  MetaSchema,
  successOf,
} from '../../src/render/profiles/default-schema.ts'

/** The wire forms that endpoints share. Every answer is one of these envelopes. */

export { AttemptSchema, ErrorCodeName, FailureEnvelope, listOf, MetaSchema, RouteName, successOf }

/** In the query everything is text. */
export const TimeoutQuery = Type.Optional(
  Type.String({
    pattern: '^[1-9]\\d{0,6}$',
    description: 'Deadline for everything, milliseconds.',
  }),
)

/** The answers of an endpoint: its own success, and a failure envelope for everything else. */
export const answersOf = <T extends TSchema>(data: T) => ({
  200: successOf(data),
  '4xx': FailureEnvelope,
  '5xx': FailureEnvelope,
})
