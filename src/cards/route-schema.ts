import { type Static, Type } from '@sinclair/typebox'
import { NeedsSource } from '../credentials/schema.ts'

/** The form of a route's section in a card, without the keys that its adapter checks. */

export const Expression = (description: string) => Type.String({ minLength: 1, description })
export const Closed = { additionalProperties: false } as const

/** Turns the pages of an upstream into one list with exact cursors. */
export const PagesSource = Type.Object(
  {
    items: Type.String({ default: 'body', description: 'Where the raw items are; sees body.' }),
    keep: Type.Optional(
      Expression(
        'Predicate: drops the items that fail it; sees the members of a raw item, and input.',
      ),
    ),
    keep_when: Type.Optional(
      Expression('The filter is used only when true, otherwise every item is kept; sees input.'),
    ),
    cursor: Type.Optional(
      Expression("The upstream's cursor behind a raw item; sees that item's members."),
    ),
    more: Type.Optional(Expression('True when more items follow the page; sees body.')),
    largest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Items on the largest page that the upstream returns.',
      }),
    ),
    whole: Type.Optional(
      Type.Literal(true, { description: 'The upstream returns the whole list at once.' }),
    ),
  },
  { ...Closed, dependentRequired: { keep_when: ['keep'], cursor: ['more'], more: ['cursor'] } },
)
export type PagesSource = Static<typeof PagesSource>

/** Reads every page of a list. */
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
  Expression('A list: one request is made for each member, which it sees as item.'),
)

/** The keys of a route section that the engine reads; the adapter reads the others. */
export const ROUTE_KEYS: readonly string[] = [
  'needs',
  'reads',
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
  'reads',
  'missing',
  'invalid',
  'conflict',
  'unsupported',
  'result',
  'all',
  'each',
]
export const FOLLOW_UP_KEYS: readonly string[] = ['purpose', 'effect', 'when', 'each', 'subject']

const Missing = Type.Optional(
  Expression(
    'True, or a sentence that says what is missing, when the answer means that the thing does not exist; sees what result sees.',
  ),
)

const Unsupported = Type.Optional(
  Expression(
    'A sentence if the answer shows that this route cannot return what was asked for, else null.',
  ),
)

const Reads = Type.Optional(
  Type.Literal(true, {
    description: 'The request changes nothing, although its method usually does, as in a search.',
  }),
)

/** A read before the main request. Later expressions see its answer as `lookup.<name>`. */
const LookupSource = Type.Object(
  {
    missing: Missing,
    invalid: Type.Optional(
      Expression('A sentence if the answer shows that the input is wrong, else null.'),
    ),
    conflict: Type.Optional(
      Expression('A sentence if the answer shows a change or an existing thing, else null.'),
    ),
    unsupported: Unsupported,
    all: Type.Optional(AllSource),
    reads: Reads,
    result: Type.Optional(
      Expression('The value of lookup.<name>, if not the answer itself; sees what missing sees.'),
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
      description: 'For callers: why the route cannot serve other inputs.',
    }),
  },
  { ...Closed, description: 'The inputs that the route serves; it is skipped for others.' },
)

/** A request after the main one of a write. Later expressions see its answer as `then.<name>`. */
const FollowUpSource = Type.Object(
  {
    purpose: Type.String({
      minLength: 1,
      description: 'Its purpose, for warnings: "delete the branch".',
    }),
    effect: Type.Optional(
      Type.Union([Type.Literal('idempotent'), Type.Literal('write')], { default: 'write' }),
    ),
    when: Type.Optional(Expression('Makes the request only when true; sees what result sees.')),
    each: Type.Optional(
      Expression('A list: one request is made for each member, which it sees as item.'),
    ),
    subject: Type.Optional(Expression('With each: a text that names item in warnings.')),
  },
  { additionalProperties: true, dependentRequired: { subject: ['each'] } },
)
export type FollowUpSource = Static<typeof FollowUpSource>

export const RouteSource = Type.Object(
  {
    result: Expression(
      'Makes the data of the answer; sees input, lookup, body, status, headers, then, and on paged routes items, pageInfo and scan.',
    ),
    needs: Type.Optional(NeedsSource),
    reads: Reads,
    missing: Missing,
    unsupported: Unsupported,
    pages: Type.Optional(PagesSource),
    all: Type.Optional(AllSource),
    each: Each,
    lookup: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }), LookupSource),
    ),
    when: Type.Optional(RouteWhenSource),
    // oxlint-disable-next-line unicorn/no-thenable -- a key of cards; its value is not a function
    then: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }), FollowUpSource),
    ),
  },
  { additionalProperties: true },
)
export type RouteSource = Static<typeof RouteSource>
