import { RestError } from './rest/errors.ts'
import { NOT_FOR_APPS } from './store/access.ts'
import type { Store } from './store/store.ts'
import type { Principal } from './store/tokens.ts'

/** Resources of a person. The token of an app has none of them. */
const PERSONAL = /^\/(?:user|notifications|gists)(?:\/|$)/

/** Resolves the caller from the token, or throws GitHub's refusal. There is no anonymous access. */
export function authenticate(
  store: Store,
  authorization: string | undefined,
  path: string,
): Principal {
  const [, scheme, credentials] = /^(\S+)\s+(\S+)\s*$/.exec(authorization ?? '') ?? []
  if (scheme === undefined || credentials === undefined) {
    throw new RestError(401, 'Requires authentication')
  }
  const principal = store.tokens.find(tokenIn(scheme, credentials))
  if (!principal) throw new RestError(401, 'Bad credentials')
  if (principal.installation && PERSONAL.test(path)) throw new RestError(403, NOT_FOR_APPS)
  return principal
}

/** The token is the credential of `Bearer x` and `token x`, or the password of `Basic`. */
function tokenIn(scheme: string, credentials: string): string {
  if (scheme.toLowerCase() !== 'basic') return credentials
  const [, password = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  return password
}
