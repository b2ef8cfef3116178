import { type Static, Type } from '@sinclair/typebox'
import { CARD_PATTERN } from '../model/card-pattern.ts'
import { OneOf } from '../model/one-of.ts'
import { PROFILE_NAMES } from '../model/profile-name.ts'
import { SCOPES } from '../model/scopes.ts'
import { TOOL_WORD } from '../model/tool-selection.ts'

export const KEY_NAME = '^[a-z0-9][a-z0-9_-]*$'
export const SHORTEST_SECRET = 16

const Patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ pattern: CARD_PATTERN }), { maxItems: 200, description }))

/** One gateway key of the settings. Exactly one of its three forms of a secret is set. */
export const Key = Type.Object(
  {
    name: Type.String({ pattern: KEY_NAME, description: 'Lower case; the journal shows it.' }),
    secret: Type.Optional(
      Type.String({
        minLength: SHORTEST_SECRET,
        description: `At least ${SHORTEST_SECRET} characters.`,
      }),
    ),
    secret_sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the secret, in hex: `signalbox keys create` prints it.',
      }),
    ),
    secret_file: Type.Optional(
      Type.String({ minLength: 1, description: 'A file that holds the secret and nothing else.' }),
    ),
    operator: Type.Optional(
      Type.Boolean({ description: "May read every caller's requests, and operate the gateway." }),
    ),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPES, 'graphql or metrics.'), {
        description: 'Further permissions: graphql, metrics.',
      }),
    ),
    allow: Patterns('The only capabilities that it may call, such as read:* or issue.*.'),
    deny: Patterns('Capabilities that it may not call, whatever allow says.'),
    approve: Patterns('Capabilities of which a person has to approve each call.'),
    read_only: Type.Optional(Type.Boolean({ description: 'Short for allow: [read:*].' })),
    requests_per_minute: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The most calls in a minute.' }),
    ),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The most calls that run at once.' }),
    ),
    credentials: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "For an upstream, the name of the upstream's credential that its calls use.",
      }),
    ),
    passthrough: Type.Optional(
      Type.Boolean({ description: 'Whether it may send a credential of its own. Default: true.' }),
    ),
    profile: Type.Optional(
      OneOf(PROFILE_NAMES, 'Dialect of its answers, unless a call names another.'),
    ),
    tools: Type.Optional(
      Type.Array(Type.String({ pattern: TOOL_WORD }), {
        minItems: 1,
        maxItems: 200,
        description: 'Its tools over MCP: search, all, or patterns such as repo.*, -pr.merge.',
      }),
    ),
    expires: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time from which it is refused.' }),
    ),
  },
  { additionalProperties: false },
)
export type Key = Static<typeof Key>
