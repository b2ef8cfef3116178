import { SCOPES, type Scope } from '../model/scopes.ts'
import { SettingsError } from '../model/settings-error.ts'
import { KEY_NAME, type Key, SHORTEST_SECRET } from './key-schema.ts'

/**
 * Parses `name:secret` entries, comma-separated; `name:secret:operator+graphql` adds permissions.
 * @param source the variable, as messages name it
 * @throws {SettingsError} which names the faulty entry by its number, as its text holds a secret.
 */
export function parseKeys(text: string, source = 'SIGNALBOX_KEYS'): Key[] {
  return text.split(',').map((entry, index) => {
    const key = parseKey(entry.trim())
    if (key) return key
    throw new SettingsError(
      `${source} is not usable: key ${index + 1} must be name:secret, name:secret:operator, name:secret:graphql or name:secret:metrics, ` +
        `the name in lower case, the secret ${SHORTEST_SECRET} characters or more.`,
    )
  })
}

/** Null when the entry is malformed. */
function parseKey(entry: string): Key | null {
  const [name = '', secret = '', permissions = '', ...more] = entry.split(':')
  if (!new RegExp(KEY_NAME).test(name) || secret.length < SHORTEST_SECRET || more.length > 0)
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
