import { type Static, Type } from '@sinclair/typebox'
import { SCOPES } from '../scopes.ts'
import { FailureRuleSource } from './failure-rules.ts'

/**
 * The form of the two files that people write. Unknown keys are refused: a setting without effect is
 * an error. Route sections are checked apart, each by its adapter.
 */

const Expression = (description: string) => Type.String({ minLength: 1, description })
const Closed = { additionalProperties: false } as const

const RouteName = Type.Union([Type.Literal('rest'), Type.Literal('graphql'), Type.Literal('cli')])

const JsonSchemaObject = Type.Object(
  { type: Type.Literal('object') },
  { additionalProperties: true, description: 'A JSON Schema whose type is object.' },
)

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

const VerifySource = Type.Object(
  {
    capability: Type.String({ description: 'The read that finds out.' }),
    input: Expression('Input of that read; sees input.'),
    found: Expression(
      'The object or objects that may be the one that was made; sees input and data.',
    ),
    created: Expression('When a found object was made, RFC 3339; sees that object.'),
    author: Type.Optional(Expression('Who made a found object; sees that object.')),
    viewer: Type.Optional(
      Type.String({ description: "The capability whose data.login is the credential's own user." }),
    ),
    settles_ms: Type.Integer({
      minimum: 0,
      description: 'After how many milliseconds absence counts.',
    }),
  },
  { ...Closed, dependentRequired: { author: ['viewer'], viewer: ['author'] } },
)

const NextSource = Type.Object(
  {
    capability: Type.String(),
    input: Expression('Input of the suggested call; sees input and data.'),
    when: Type.Optional(Expression('Suggests only when true; sees input and data.')),
    reason: Type.Optional(Type.String()),
  },
  Closed,
)

export const CardSource = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' }),
    version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    description: Type.String({ minLength: 1 }),
    effect: Type.Union([Type.Literal('read'), Type.Literal('idempotent'), Type.Literal('write')]),
    deprecated: Type.Optional(Type.String({ description: 'What to use instead.' })),
    scope: Type.Optional(
      Type.Literal(SCOPES[0], { description: 'What a gateway key needs to call it.' }),
    ),
    input: JsonSchemaObject,
    output: JsonSchemaObject,
    prefer: Type.Array(RouteName, { minItems: 1, uniqueItems: true }),
    routes: Type.Object(
      {
        rest: Type.Optional(RouteSource),
        graphql: Type.Optional(RouteSource),
        cli: Type.Optional(RouteSource),
      },
      { ...Closed, minProperties: 1 },
    ),
    not_offered: Type.Optional(
      Type.Object(
        {
          rest: Type.Optional(Type.String({ minLength: 1 })),
          graphql: Type.Optional(Type.String({ minLength: 1 })),
          cli: Type.Optional(Type.String({ minLength: 1 })),
        },
        {
          ...Closed,
          description: 'Routes that the service has no way for, each with the reason.',
        },
      ),
    ),
    verify: Type.Optional(VerifySource),
    list: Type.Optional(
      Type.Object(
        {
          path: Type.String({ description: 'Dotted path of an array in data.' }),
          rank: Type.Optional(
            Expression('Sort key; sees one item. What has the highest is kept longest.'),
          ),
        },
        { ...Closed, description: 'The list that a token budget may cut.' },
      ),
    ),
    page: Type.Optional(Type.Object({ cursor: Type.String(), size: Type.String() }, Closed)),
    pool: Type.Optional(
      Type.Object(
        {
          rest: Type.Optional(Type.String()),
          graphql: Type.Optional(Type.String()),
          cli: Type.Optional(Type.String()),
        },
        Closed,
      ),
    ),
    next: Type.Optional(Type.Array(NextSource)),
    summary: Type.Optional(Expression('One sentence with the key facts; sees input and data.')),
  },
  Closed,
)
export type CardSource = Static<typeof CardSource>

const PoolSource = Type.Object(
  { description: Type.Optional(Type.String()) },
  { ...Closed, description: 'A quota that routes draw on.' },
)

export const UpstreamSource = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_-]*$' }),
    description: Type.Optional(Type.String()),
    workspace: Type.Optional(
      Expression('Names what a call is about, e.g. owner/name; sees input. Null when unknown.'),
    ),
    credential: Type.Optional(
      Type.Object(
        {
          env: Type.Optional(Type.Array(Type.String(), { description: 'Tried in order.' })),
          passthrough: Type.Optional(
            Type.Boolean({ description: 'Whether X-Upstream-Authorization is accepted.' }),
          ),
          required: Type.Optional(
            Type.Boolean({ default: true, description: 'Whether calls without one are refused.' }),
          ),
        },
        Closed,
      ),
    ),
    rest: Type.Optional(Type.Object({}, { additionalProperties: true })),
    graphql: Type.Optional(Type.Object({}, { additionalProperties: true })),
    cli: Type.Optional(Type.Object({}, { additionalProperties: true })),
    pools: Type.Optional(Type.Record(Type.String(), PoolSource)),
    failure_packs: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of shipped sets of failure rules.' }),
    ),
    failures: Type.Optional(Type.Array(FailureRuleSource)),
  },
  Closed,
)
export type UpstreamSource = Static<typeof UpstreamSource>
