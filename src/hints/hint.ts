import { type Static, Type } from '@sinclair/typebox'

/** Of a hint's id. The number is a version: advice that changes its meaning gets the next one. */
export const HINT_ID = '^hint_[a-z_]+_\\d{3}$'

const text = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })

/** What to do about an error, short enough to be fetched once and kept. */
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
