import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'

const text = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })

/**
 * Advice on an error. Short: agents fetch it once and keep it. It names no member of the error, because each
 * dialect has its own names for them.
 */
export const Hint = Type.Object(
  {
    action: text('What to do, in one sentence.'),
    tool: Type.Optional(text('The capability or endpoint that helps.')),
    field: Type.Optional(text('The option of the call to look at, by its name.')),
  },
  { additionalProperties: false },
)
export type Hint = Static<typeof Hint>

export type HintTable = Readonly<Record<string, Hint>>

/** `GET /v1/hints`: the hints found, by id. */
export const HintAnswer = Type.Object({
  hints: Type.Record(Type.String(), Hint),
  notFound: Type.Array(Type.String(), { description: 'Ids that do not exist.' }),
})
export type HintAnswer = DeepReadonly<Static<typeof HintAnswer>>
