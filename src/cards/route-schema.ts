import { type Static, Type } from '@sinclair/typebox'

/** The form of a route's section in a card, apart from the keys that its adapter checks. */

export const Expression = (description: string) => Type.String({ minLength: 1, description })
export const Closed = { additionalProperties: false } as const

/** A list that the upstream gives in pages of its own, turned into a list with exact cursors. */
export const PagesSource = Type.Object(
  {
    items: Type.String({ default: 'body', description: 'Where the raw items are; sees body.' }),
    keep: Type.Optional(
      Expression(
        'Predicate; those that fail it are left out. Sees the members of a raw item, and input.',
      ),
    ),
    cursor: Type.Optional(
      Expression("The upstream's cursor behind a raw item; sees that item's members."),
    ),
    more: Type.Optional(Expression('True when there is more behind the page; sees body.')),
    largest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'The largest numbered page there is.',
      }),
    ),
    whole: Type.Optional(
      Type.Literal(true, { description: 'The upstream gives the list whole, in one answer.' }),
    ),
  },
  { ...Closed, dependentRequired: { cursor: ['more'], more: ['cursor'] } },
)
export type PagesSource = Static<typeof PagesSource>

/** A list that is needed as a whole, however many pages it has. */
const AllSource = Type.Object(
  {
    items: Expression('Where the items of a page are; sees body.'),
    next: Type.Optional(
      Expression(
        'Cursor of the next page, or null; sees body and headers. Without it pages are numbered.',
      ),
    ),
  },
  Closed,
)
export type AllSource = Static<typeof AllSource>

const Each = Type.Optional(
  Expression('A list: the request is made for each member, which it sees as item.'),
)

/** The keys of a route section that belong to the engine; the others belong to the adapter. */
export const ROUTE_KEYS: readonly string[] = [
  'result',
  'pages',
  'all',
  'each',
  'missing',
  'unsupported',
  'lookup',
  'when',
  'then',
]
export const LOOKUP_KEYS: readonly string[] = [
  'missing',
  'invalid',
  'conflict',
  'unsupported',
  'result',
  'all',
  'each',
]
export const STEP_KEYS: readonly string[] = ['purpose', 'effect', 'when']

const Missing = Type.Optional(
  Expression('True when the answer means that the thing is not there; sees what result sees.'),
)

const Unsupported = Type.Optional(
  Expression(
    'Why this route cannot give what is asked for, as the answer shows: a sentence, or null.',
  ),
)

/** A read made before the call; its answer is `lookup.<name>` for everything after it. */
const LookupSource = Type.Object(
  {
    missing: Missing,
    invalid: Type.Optional(
      Expression('What is wrong with the input, as the answer shows: a sentence, or null.'),
    ),
    conflict: Type.Optional(
      Expression('What has changed or is there already, as the answer shows: a sentence, or null.'),
    ),
    unsupported: Unsupported,
    all: Type.Optional(AllSource),
    result: Type.Optional(
      Expression(
        'What lookup.<name> is to hold, if not the answer itself; sees what missing sees.',
      ),
    ),
    each: Each,
  },
  { additionalProperties: true },
)

const RouteWhenSource = Type.Object(
  {
    test: Expression('True when the route can serve this input; sees input.'),
    reason: Type.String({
      minLength: 1,
      description: 'Why it cannot serve the others, for the caller.',
    }),
  },
  { ...Closed, description: 'The inputs that the route serves. For others it is skipped.' },
)

/** A request made after the main one of a change; its answer is `then.<name>`. */
const StepSource = Type.Object(
  {
    purpose: Type.String({ minLength: 1, description: 'What it is for: "delete the branch".' }),
    effect: Type.Optional(
      Type.Union([Type.Literal('idempotent'), Type.Literal('write')], { default: 'write' }),
    ),
    when: Type.Optional(Expression('Makes the request only when true; sees what result sees.')),
  },
  { additionalProperties: true },
)
export type StepSource = Static<typeof StepSource>

export const RouteSource = Type.Object(
  {
    result: Expression(
      'Makes data; sees input, lookup, body, status, headers, then, and on paged routes items, pageInfo and scan.',
    ),
    missing: Missing,
    unsupported: Unsupported,
    pages: Type.Optional(PagesSource),
    all: Type.Optional(AllSource),
    each: Each,
    lookup: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }), LookupSource),
    ),
    when: Type.Optional(RouteWhenSource),
    // oxlint-disable-next-line unicorn/no-thenable -- a key of cards, whose value is no function
    then: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }), StepSource)),
  },
  { additionalProperties: true },
)
export type RouteSource = Static<typeof RouteSource>
