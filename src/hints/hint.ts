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

/** A hint with the names that hold at a door. */
export const HintAtDoor = Type.Object(
  {
    ...Hint.properties,
    capability: Type.Optional(text('The capability to call, where one tool calls them all.')),
  },
  { additionalProperties: false },
)
export type HintAtDoor = Static<typeof HintAtDoor>

/** `GET /v1/hints`: the hints found, by id. */
export const HintAnswer = Type.Object({
  hints: Type.Record(Type.String(), HintAtDoor),
  notFound: Type.Array(Type.String(), { description: 'Ids that do not exist.' }),
})
export type HintAnswer = DeepReadonly<Static<typeof HintAnswer>>
