import { type TSchema, Type } from '@sinclair/typebox'
import { ErrorCodeName, listOf, nullable, RouteName } from '../../src/model/schema-parts.ts'
import { FailureEnvelope, MetaSchema, successOf } from '../../src/render/profiles/default-schema.ts'

/** Schemas that several endpoints share. Every answer is one of these envelopes. */

export { ErrorCodeName, FailureEnvelope, listOf, MetaSchema, nullable, RouteName, successOf }

/** Query parameters arrive as text. */
export const TimeoutQuery = Type.Optional(
  Type.String({
    pattern: '^[1-9]\\d{0,6}$',
    description: 'Deadline of the whole request, milliseconds.',
  }),
)

/** The answers of an endpoint: its success envelope, and a failure envelope for every other status. */
export const answersOf = <T extends TSchema>(data: T) => ({
  200: successOf(data),
  '4xx': FailureEnvelope,
  '5xx': FailureEnvelope,
})
