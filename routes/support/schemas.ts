/** Schemas that several endpoints share. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../../src/lib/deep-readonly.ts'
import { FailureEnvelope, successOf } from '../../src/model/envelope.ts'

/** Query parameters arrive as text. */
export const TimeoutQuery = Type.Optional(
  Type.String({
    pattern: '^[1-9]\\d{0,6}$',
    description: 'Deadline of the whole request, milliseconds.',
  }),
)

/** The answers of an endpoint: its success envelope, and a failure envelope for every other status. */
export const answersOf = <T extends TSchema>(data: T) => ({
  // The types of schemas are mutable, and handlers return readonly values.
  200: Type.Unsafe<DeepReadonly<Static<ReturnType<typeof successOf<T>>>>>(successOf(data)),
  '4xx': FailureEnvelope,
  '5xx': FailureEnvelope,
})
