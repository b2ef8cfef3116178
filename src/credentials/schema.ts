import { type Static, Type } from '@sinclair/typebox'

/** The part of `upstream.yaml` that says where secrets go and where they come from. */

const Closed = { additionalProperties: false } as const

/** A name that `${credential.name}` can hold. */
const NAME = '^[A-Za-z_][A-Za-z0-9_-]*$'

const Name = Type.String({
  minLength: 1,
  description: 'The name of the header, parameter or cookie.',
})

export const SchemeSource = Type.Object(
  {
    type: Type.Union(
      [
        Type.Literal('header'),
        Type.Literal('query'),
        Type.Literal('cookie'),
        Type.Literal('basic'),
        Type.Literal('bearer'),
      ],
      { description: 'The place of the secret in a request.' },
    ),
    name: Type.Optional(Name),
    prefix: Type.Optional(
      Type.String({ description: 'Text before the secret in a header, such as "Token ".' }),
    ),
    passthrough: Type.Optional(
      Type.Boolean({ description: 'Whether callers may send it as X-Upstream-Authorization.' }),
    ),
  },
  Closed,
)
export type SchemeSource = Static<typeof SchemeSource>

const Timeout = Type.Optional(
  Type.Integer({ minimum: 1, default: 10_000, description: 'Milliseconds that it may take.' }),
)

const Command = Type.Object(
  {
    run: Type.Array(Type.String(), {
      minItems: 1,
      description: 'The program and its arguments. No shell is involved.',
    }),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String(), {
        description: 'All its variables besides PATH.',
      }),
    ),
    timeout_ms: Timeout,
  },
  { ...Closed, description: 'A program that prints the secret.' },
)
export type CommandDeclaration = Static<typeof Command>

/** Sources that need no other one. */
const plain = {
  env: Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String(), { minItems: 1 })], {
      description: 'A variable, or several to try in order.',
    }),
  ),
  file: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A file that holds the secret, relative to this one.',
    }),
  ),
  command: Type.Optional(Command),
}

const ExactlyOne = { ...Closed, minProperties: 1, maxProperties: 1 } as const

const PlainSource = Type.Object(plain, {
  ...ExactlyOne,
  description: 'Give exactly one of: env, file, command.',
})
export type PlainSource = Static<typeof PlainSource>

const OAuth2 = Type.Object(
  {
    token_url: Type.String({ pattern: '^https?://', description: 'The token endpoint.' }),
    grant: Type.Optional(
      Type.Union([Type.Literal('client_credentials'), Type.Literal('refresh_token')], {
        default: 'client_credentials',
      }),
    ),
    client_id: PlainSource,
    client_secret: Type.Optional(PlainSource),
    refresh_token: Type.Optional(PlainSource),
    client_auth: Type.Optional(
      Type.Union([Type.Literal('basic'), Type.Literal('post'), Type.Literal('none')], {
        description:
          'How the client identifies itself: by default basic, or none without a secret.',
      }),
    ),
    scope: Type.Optional(Type.String({ description: 'Scopes, separated by spaces.' })),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'More parameters of the token request, such as audience.',
      }),
    ),
    timeout_ms: Timeout,
  },
  { ...Closed, description: 'An access token of an authorization server.' },
)
export type OAuth2Declaration = Static<typeof OAuth2>

const AppId = Type.Union(
  [Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 }), PlainSource],
  {
    description: 'The App ID or the client ID of the app, or a source of it.',
  },
)
export type AppId = Static<typeof AppId>

const GitHubApp = Type.Object(
  {
    app_id: AppId,
    private_key: PlainSource,
    installation: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })], {
        description:
          'The login of the account on which the app is installed, or the id of the installation. Without it, the account of each call counts.',
      }),
    ),
    permissions: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z_]+$' }),
        Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
        { minProperties: 1, description: 'Fewer permissions than the installation has.' },
      ),
    ),
    repositories: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Fewer repositories than the installation has, by their names.',
      }),
    ),
    timeout_ms: Timeout,
  },
  { ...Closed, description: 'A token of an installation of a GitHub App.' },
)
export type GitHubAppDeclaration = Static<typeof GitHubApp>

/** The source of one text. */
const TextSource = Type.Object(
  { ...plain, oauth2: Type.Optional(OAuth2), github_app: Type.Optional(GitHubApp) },
  { ...ExactlyOne, description: 'Give exactly one of: env, file, command, oauth2, github_app.' },
)
export type TextSource = Static<typeof TextSource>

/** The source of a scheme: of its text, or of the two texts of `basic`. */
export const ValueSource = Type.Object(
  {
    ...TextSource.properties,
    username: Type.Optional(PlainSource),
    password: Type.Optional(PlainSource),
  },
  {
    ...Closed,
    minProperties: 1,
    maxProperties: 2,
    description:
      'Give one of env, file, command, oauth2, github_app; for basic, username and password.',
  },
)
export type ValueSource = Static<typeof ValueSource>

export const SchemesSource = Type.Record(Type.String({ pattern: NAME }), SchemeSource, {
  ...Closed,
  minProperties: 1,
  description: 'The places of secrets in requests, by name.',
})

export const CredentialsSource = Type.Record(
  Type.String({ pattern: NAME }),
  Type.Record(Type.String(), ValueSource, { minProperties: 1 }),
  {
    ...Closed,
    minProperties: 1,
    description: 'Identities: for each, the source of the secret of each of its schemes.',
  },
)
export type CredentialsSource = Static<typeof CredentialsSource>

const Together = Type.Array(Type.String(), { uniqueItems: true })

/** Schemes of an operation: one, several together, or alternatives. */
export const NeedsSource = Type.Union(
  [
    Type.String(),
    Together,
    Type.Object(
      { any: Type.Array(Type.Union([Type.String(), Together]), { minItems: 1 }) },
      Closed,
    ),
  ],
  {
    description:
      'The schemes that a request needs: one, a list of several together, or any: [...] with alternatives. An empty list needs none.',
  },
)
export type NeedsSource = Static<typeof NeedsSource>
