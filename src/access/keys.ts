import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from '../model/one-of.ts'
import { PROFILE_NAMES } from '../model/profile-name.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { SettingsError } from '../model/settings-error.ts'

const NAME = '^[a-z0-9][a-z0-9_-]*$'
const SHORTEST_SECRET = 16

/** One gateway key of the settings. */
export const Key = Type.Object(
  {
    name: Type.String({ pattern: NAME, description: 'Lower case; the journal shows it.' }),
    secret: Type.String({
      minLength: SHORTEST_SECRET,
      description: `At least ${SHORTEST_SECRET} characters.`,
    }),
    operator: Type.Optional(Type.Boolean({ description: "May read every caller's requests." })),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPES, 'graphql or metrics.'), {
        description: 'Further permissions: graphql, metrics.',
      }),
    ),
    profile: Type.Optional(
      OneOf(PROFILE_NAMES, 'Dialect of its answers, unless a call names another.'),
    ),
  },
  { additionalProperties: false },
)
export type Key = Static<typeof Key>

/**
 * Parses `name:secret` entries, comma-separated; `name:secret:operator+graphql` adds permissions.
 * @throws {SettingsError} which names the faulty entry by its number, as its text holds a secret.
 */
export function parseKeys(text: string): Key[] {
  return text.split(',').map((entry, index) => {
    const key = parseKey(entry.trim())
    if (key) return key
    throw new SettingsError(
      `SIGNALBOX_KEYS is not usable: key ${index + 1} must be name:secret, name:secret:operator, name:secret:graphql or name:secret:metrics, ` +
        `the name in lower case, the secret ${SHORTEST_SECRET} characters or more.`,
    )
  })
}

/** Null when the entry is malformed. */
function parseKey(entry: string): Key | null {
  const [name = '', secret = '', permissions = '', ...more] = entry.split(':')
  if (!new RegExp(NAME).test(name) || secret.length < SHORTEST_SECRET || more.length > 0)
    return null
  const granted = permissions.split('+').filter(Boolean)
  const scopes = granted.filter(isScope)
  const operator = granted.includes('operator')
  if (granted.some(one => one !== 'operator' && !isScope(one))) return null
  return {
    name,
    secret,
    ...(operator ? { operator } : {}),
    ...(scopes.length > 0 ? { scopes } : {}),
  }
}

function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}
