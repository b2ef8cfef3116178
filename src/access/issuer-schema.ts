import { type Static, Type } from '@sinclair/typebox'
import { RIGHTS } from './rights.ts'

const Closed = { additionalProperties: false } as const
const URL_PATTERN = '^https?://[^?#\\s]+$'
const Expression = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description }))
const Text = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

/** A set of rights that a token can give its bearer. */
const Role = Type.Object(
  { name: Text('The value of claims.role that gives this role.'), ...RIGHTS },
  Closed,
)

const Claims = Type.Object(
  {
    name: Expression("The caller's name. Default: sub."),
    role: Expression(
      'The name of a role, or a list of names: the first of roles that it has counts.',
    ),
    allow: Expression(
      'What the caller may call: a list of patterns, or a text with spaces between them.',
    ),
    credentials: Expression("For an upstream, the name of the upstream's credential."),
  },
  { ...Closed, description: 'JMESPath over the claims of a token.' },
)

/** One identity provider of the settings. */
export const Issuer = Type.Object(
  {
    issuer: Type.String({
      pattern: URL_PATTERN,
      description: 'The claim iss, as tokens spell it.',
    }),
    audience: Type.Unsafe<string | readonly string[]>({
      type: ['string', 'array'],
      minLength: 1,
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', minLength: 1 },
      description: 'The claim aud that names this gateway, or a list of such.',
    }),
    jwks_uri: Type.Optional(
      Type.String({
        pattern: '^https?://[^#\\s]+$',
        description: "The issuer's public keys. Default: those that its metadata names.",
      }),
    ),
    required_scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$' }), {
        maxItems: 20,
        description: 'Scopes that each token needs. Clients learn them from the gateway.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[!-~]{0,200}$',
        description: "Stands before its callers' names. Default: none for a single issuer.",
      }),
    ),
    claims: Type.Optional(Claims),
    roles: Type.Optional(
      Type.Array(Role, {
        maxItems: 200,
        description: 'What claims.role can give, the most first.',
      }),
    ),
  },
  Closed,
)
export type Issuer = Static<typeof Issuer>
export type Role = Static<typeof Role>
