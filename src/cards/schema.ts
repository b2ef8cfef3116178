import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { CredentialsSource, NeedsSource, SchemesSource } from '../credentials/schema.ts'
import { CARD_PATTERN } from '../model/card-pattern.ts'
import { FailureRuleSource } from '../model/failure-rule.ts'
import { OneOf } from '../model/one-of.ts'
import { EFFECTS } from '../model/route.ts'
import { RouteName } from '../model/schema-parts.ts'
import { SCOPES } from '../model/scopes.ts'
import { Closed, Expression, RouteSource } from './route-schema.ts'
import { TextsSource, UntrustedSource } from './text-schema.ts'

/**
 * The form of the two files that people write. Unknown keys are refused: a setting without effect is
 * an error. Each adapter checks its own keys of the route sections.
 */

const byRoute = <T extends TSchema>(schema: T) => ({
  rest: Type.Optional(schema),
  graphql: Type.Optional(schema),
  cli: Type.Optional(schema),
})

const JsonSchemaObject = Type.Object(
  { type: Type.Literal('object') },
  { additionalProperties: true, description: 'A JSON Schema whose type is object.' },
)

const VerifySource = Type.Object(
  {
    capability: Type.String({ description: 'The read that looks for the result of the write.' }),
    input: Expression(
      'Input of that read; sees input, and since: a time shortly before the write.',
    ),
    found: Expression(
      'The objects of which one may be the result: a list, one, or null; sees input and data.',
    ),
    created: Expression('When a found object was created, RFC 3339; sees that object.'),
    author: Type.Optional(Expression('Who created a found object; sees that object.')),
    viewer: Type.Optional(
      Type.String({
        description: 'The capability whose data.login is the user of the credential.',
      }),
    ),
    identity: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        uniqueItems: true,
        description: 'Members of the output that tell one result from another. By default all.',
      }),
    ),
    settles_ms: Type.Integer({
      minimum: 0,
      description: 'Milliseconds until a missing object means that the write was not applied.',
    }),
  },
  { ...Closed, dependentRequired: { author: ['viewer'], viewer: ['author'] } },
)

const StateSource = Type.Object(
  {
    capability: Type.String({
      description: 'The read that shows the state that the change leaves.',
    }),
    input: Expression('Input of that read, or null if it cannot be called; sees input.'),
  },
  Closed,
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
    id: Type.String({
      pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$',
      description: 'A noun and a verb in lower case, with a dot between, such as part.view.',
    }),
    version: Type.String({
      pattern: '^\\d+\\.\\d+\\.\\d+$',
      description: 'The version of the card, such as 1.0.0.',
    }),
    description: Type.String({ minLength: 1, description: 'One sentence, for agents.' }),
    effect: OneOf(EFFECTS),
    deprecated: Type.Optional(Type.String({ description: 'What to use instead.' })),
    destructive: Type.Optional(
      Type.Boolean({
        description: 'Whether it deletes, merges, transfers, or overwrites what others made.',
      }),
    ),
    scope: Type.Optional(
      Type.Literal(SCOPES[0], { description: 'The scope that a gateway key needs to call it.' }),
    ),
    needs: Type.Optional(NeedsSource),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The time for calls that name none, instead of the setting.',
      }),
    ),
    input: JsonSchemaObject,
    output: JsonSchemaObject,
    prefer: Type.Array(RouteName, {
      minItems: 1,
      uniqueItems: true,
      description: 'The routes in the order in which they are tried, such as [rest, graphql].',
    }),
    routes: Type.Object(byRoute(RouteSource), {
      ...Closed,
      minProperties: 1,
      description: 'A section for each route: rest, graphql or cli.',
    }),
    not_offered: Type.Optional(
      Type.Object(byRoute(Type.String({ minLength: 1 })), {
        ...Closed,
        description: 'Routes that the service does not offer, each with the reason.',
      }),
    ),
    verify: Type.Optional(VerifySource),
    state: Type.Optional(Type.Union([StateSource, Type.Literal('none')])),
    touches: Type.Optional(
      Type.Array(Type.String({ pattern: CARD_PATTERN }), {
        uniqueItems: true,
        description:
          'The reads whose answers the change makes worthless, e.g. issue.*; by default all of the upstream.',
      }),
    ),
    list: Type.Optional(
      Type.Object(
        {
          path: Type.String({ description: 'Dotted path of an array in data.' }),
          rank: Type.Optional(
            Expression('Sort key: items with the highest are kept longest; sees one item.'),
          ),
        },
        { ...Closed, description: 'The list that a token budget may cut.' },
      ),
    ),
    page: Type.Optional(Type.Object({ cursor: Type.String(), size: Type.String() }, Closed)),
    pool: Type.Optional(Type.Object(byRoute(Type.String()), Closed)),
    next: Type.Optional(Type.Array(NextSource)),
    lacks: Type.Optional(
      Expression(
        'A sentence if the answer to a change does not show all that was asked for, else null; sees input and data.',
      ),
    ),
    quotas: Type.Optional(
      Expression(
        'The quotas that the answer to a read shows, as a list of {pool, limit, remaining, resetAt}; sees input and data.',
      ),
    ),
    summary: Type.Optional(Expression('One sentence with the key facts; sees input and data.')),
    untrusted: Type.Optional(
      Type.Array(UntrustedSource, {
        minItems: 1,
        description: 'Texts in data that a stranger may have written.',
      }),
    ),
  },
  Closed,
)
export type CardSource = Static<typeof CardSource>

const PoolSource = Type.Object(
  { description: Type.Optional(Type.String()) },
  { ...Closed, description: 'A quota that routes share.' },
)

const Definition = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'A JSON Schema, for cards to refer to as $ref: "#/$defs/name".',
  },
)

const Patterns = Type.Array(Type.String({ pattern: CARD_PATTERN }), {
  minItems: 1,
  uniqueItems: true,
})
const KeepRuleSource = Type.Object({ changes: Patterns, reads: Patterns }, Closed)

export const UpstreamSource = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_-]*$' }),
    description: Type.Optional(Type.String()),
    workspace: Type.Optional(
      Expression('Names the workspace of a call, e.g. owner/name, or null; sees input.'),
    ),
    account: Type.Optional(
      Expression(
        'Names the account of a call, for credentials that differ by it, or null; sees input.',
      ),
    ),
    credential: Type.Optional(
      Type.Object(
        {
          env: Type.Optional(Type.Array(Type.String(), { description: 'Tried in order.' })),
          passthrough: Type.Optional(
            Type.Boolean({ description: 'Whether callers may send X-Upstream-Authorization.' }),
          ),
          required: Type.Optional(
            Type.Boolean({
              default: true,
              description: 'Whether to refuse calls without a credential.',
            }),
          ),
        },
        Closed,
      ),
    ),
    schemes: Type.Optional(SchemesSource),
    credentials: Type.Optional(CredentialsSource),
    needs: Type.Optional(NeedsSource),
    ...byRoute(Type.Object({}, { additionalProperties: true })),
    constants: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Type.String({ minLength: 1 }), {
        ...Closed,
        description: 'Texts that the request expressions of all cards see as constants.',
      }),
    ),
    pools: Type.Optional(Type.Record(Type.String(), PoolSource)),
    links_next: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether each numbered page but the last has a Link header with rel="next", so that a full page without it is the last.',
      }),
    ),
    examples: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values for the examples in /openapi.json, by the name of the member.',
      }),
    ),
    keeps: Type.Optional(
      Type.Array(KeepRuleSource, {
        description: 'Changes that leave the answers of some reads in memory as they are.',
      }),
    ),
    $defs: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z]\\w*$' }), Definition, Closed),
    ),
    texts: Type.Optional(TextsSource),
    failure_packs: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of shipped sets of failure rules.' }),
    ),
    failures: Type.Optional(Type.Array(FailureRuleSource)),
  },
  Closed,
)
export type UpstreamSource = Static<typeof UpstreamSource>
