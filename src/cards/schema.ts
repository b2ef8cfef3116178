import { type Static, Type } from '@sinclair/typebox'
import { FailureRuleSource } from '../model/failure-rule.ts'
import { SCOPES } from '../model/scopes.ts'
import { Closed, Expression, RouteSource } from './route-schema.ts'

/**
 * The form of the two files that people write. Unknown keys are refused: a setting without effect is
 * an error. Route sections are checked apart, each by its adapter.
 */

const RouteName = Type.Union([Type.Literal('rest'), Type.Literal('graphql'), Type.Literal('cli')])

const JsonSchemaObject = Type.Object(
  { type: Type.Literal('object') },
  { additionalProperties: true, description: 'A JSON Schema whose type is object.' },
)

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

const Definition = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'A JSON Schema, for cards to refer to as $ref: "#/$defs/name".',
  },
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
    $defs: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z]\\w*$' }), Definition, Closed),
    ),
    failure_packs: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of shipped sets of failure rules.' }),
    ),
    failures: Type.Optional(Type.Array(FailureRuleSource)),
  },
  Closed,
)
export type UpstreamSource = Static<typeof UpstreamSource>
