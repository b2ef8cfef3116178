import { Type } from '@sinclair/typebox'
import { closed } from '../../model/schema-parts.ts'

/** Pieces that the JSON Schemas of several dialects share. */

export const Millis = (description: string) => Type.Number({ minimum: 0, description })

/** Where `data` has text that others wrote. */
export const Untrusted = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    description: 'Where data has text that others wrote, such as items[].body.',
  }),
)

/** `data` between two members with a number that it does not contain. */
export function fenced(data: unknown, mark: number) {
  return { others: mark, data, end: mark }
}

/** One cut that the budget made, and how to get the rest. */
export const DropSchema = Type.Object(
  {
    path: Type.String({ description: 'Where in the answer; "*" stands for every item.' }),
    kind: Type.String({ description: 'What was cut: the name of a list, or "characters".' }),
    count: Type.Integer({ minimum: 1 }),
    note: Type.String({ description: 'How to get the rest.' }),
    cursor: Type.Optional(Type.String({ description: 'Continues where the list was cut.' })),
  },
  closed,
)
