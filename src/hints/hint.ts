import { type Static, Type } from '@sinclair/typebox'

const text = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })

/** Advice on an error. Short: agents fetch it once and keep it. */
export const Hint = Type.Object(
  {
    action: text('What to do, in one sentence.'),
    tool: Type.Optional(text('The capability or endpoint that helps.')),
    field: Type.Optional(text('The member of the error, or of the input, to look at.')),
  },
  { additionalProperties: false },
)
export type Hint = Static<typeof Hint>

export type HintTable = Readonly<Record<string, Hint>>
