/** Schemas that several endpoints share. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../../src/lib/deep-readonly.ts'
import { successOf } from '../../src/model/envelope.ts'
import { AnyObject } from '../../src/model/schema-parts.ts'

/** Query parameters arrive as text. */
export const TimeoutQuery = Type.Optional(
  Type.String({
    pattern: '^[1-9]\\d{0,6}$',
    description: 'Deadline of the whole request, milliseconds.',
  }),
)

const MemoryMs = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{1,9}$', description }))

/** The query parameters that allow an answer from memory. */
export const MemoryQuery = {
  max_age_ms: MemoryMs(
    'For reads: take an answer from memory that is younger than this, in milliseconds.',
  ),
  stale_if_error_ms: MemoryMs(
    'For reads: if every route fails, take an answer that is older than max_age_ms by less than this.',
  ),
}

/** The success of an endpoint, as an envelope. The error handler answers all else: see routes/document/failures.ts. */
export const answersOf = <T extends TSchema>(data: T) => ({
  // The types of schemas are mutable, and handlers return readonly values.
  200: Type.Unsafe<DeepReadonly<Static<ReturnType<typeof successOf<T>>>>>(successOf(data)),
})

/** A body that is no envelope. */
const bodyOf = (contentType: string, description: string, schema: TSchema) => ({
  description,
  content: { [contentType]: { schema } },
})

export const JsonBody = (description: string) => bodyOf('application/json', description, AnyObject)
export const PageBody = (description: string) => bodyOf('text/html', description, Type.String())
export const TextBody = (description: string) => bodyOf('text/plain', description, Type.String())
export const EventStreamBody = (description: string) =>
  bodyOf('text/event-stream', description, Type.String())
export const ExportBody = (description: string) => ({
  description,
  content: {
    'application/x-ndjson': { schema: Type.String() },
    'text/csv': { schema: Type.String() },
  },
})
export const LinesBody = (description: string) =>
  bodyOf('application/x-ndjson', description, Type.String())
