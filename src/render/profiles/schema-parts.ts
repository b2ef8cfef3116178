import { Type } from '@sinclair/typebox'
import { HINT_ID } from '../../hints/hint.ts'
import { WARNING_CODES } from '../../model/warnings.ts'

export {
  AttemptStatusName,
  DecisionName,
  ErrorCodeName,
  nullable,
  ReasonName,
  RouteName,
  WriteOutcomeName,
} from '../../model/schema-parts.ts'

/** Pieces of which the dialects' JSON Schemas are made. */

/** As an enum rather than a union: its error names what is allowed. */
export const enumOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description })

/** A reader must not stumble over members that it does not know. */
export const open = { additionalProperties: true } as const
export const closed = { additionalProperties: false } as const

export const AnyObject = Type.Object({}, open)

export const WarningCodeName = enumOf(WARNING_CODES, 'What the warning is about; closed set.')
export const HintId = Type.String({ pattern: HINT_ID, description: 'See GET /v1/hints.' })
export const Millis = (description: string) => Type.Number({ minimum: 0, description })

/** What was left out or shortened, and how to get it. */
export const DropSchema = Type.Object(
  {
    path: Type.String({ description: 'Where in the answer; "*" stands for every item.' }),
    kind: Type.String({ description: 'What was cut: the name of a list, or "characters".' }),
    count: Type.Integer({ minimum: 1 }),
    note: Type.String({ description: 'How to get it.' }),
    cursor: Type.Optional(Type.String({ description: 'Goes on where a list was cut.' })),
  },
  closed,
)
