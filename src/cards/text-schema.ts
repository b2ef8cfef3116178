import { type Static, Type } from '@sinclair/typebox'
import { CARD_PATTERN } from '../model/card-pattern.ts'
import { Closed, Expression } from './route-schema.ts'

const By = Type.String({
  pattern: '^[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*$',
  description:
    "Who wrote them: service (names, ids, fixed words), writers (people who may write to the place of the call), anyone, or the member beside the text that has its author's login.",
})
const when = Type.Optional(
  Expression(
    'Whether by holds for this input; otherwise anyone may have written them; sees input.',
  ),
)
const exact = Type.Optional(
  Type.Boolean({
    description: 'Callers may send the text back as it came, so nothing is removed from it.',
  }),
)

/** One entry of `untrusted` in a card. */
export const UntrustedSource = Type.Union(
  [
    Type.String({ minLength: 1, description: 'Path of a text in data, such as items[].body.' }),
    Type.Object(
      { path: Type.String({ minLength: 1 }), by: Type.Optional(By), when, exact },
      Closed,
    ),
  ],
  {
    description: 'The path of a text in data, such as items[].body, or an object with path and by.',
  },
)
export type UntrustedSource = Static<typeof UntrustedSource>

const TextRuleSource = Type.Object(
  {
    by: By,
    members: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      uniqueItems: true,
      description: 'Names of members with texts, or ends of their paths, such as milestone.title.',
    }),
    cards: Type.Optional(
      Type.Array(Type.String({ pattern: CARD_PATTERN }), {
        minItems: 1,
        description: 'The capabilities that it is about; by default all.',
      }),
    ),
    when,
    exact,
  },
  Closed,
)

export const TextsSource = Type.Object(
  {
    writers: Type.Optional(
      Type.Object(
        {
          capability: Type.String({ description: 'The read that lists who may write.' }),
          input: Expression('Its input, or null if the call has no such place; sees input.'),
          logins: Expression('The logins of those who may write; sees data.'),
        },
        Closed,
      ),
    ),
    rules: Type.Array(TextRuleSource, { description: 'The first that names a text decides.' }),
  },
  { ...Closed, description: 'Who wrote the texts in the answers.' },
)
export type TextsSource = Static<typeof TextsSource>
