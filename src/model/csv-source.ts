import { type Static, Type } from '@sinclair/typebox'

/** The form of a table, in any route section. */
export const CsvSource = Type.Object(
  {
    delimiter: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1, default: ',', description: 'e.g. ";".' }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        uniqueItems: true,
        description: 'The names of the columns, if the first row does not have them.',
      }),
    ),
  },
  { additionalProperties: false, description: 'With parse csv.' },
)
export type CsvSource = Static<typeof CsvSource>
