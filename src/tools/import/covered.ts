import type { Json } from './references.ts'
import { schemeNames } from './security.ts'

/** A parameter that carries a credential, or may do so by its name. */
export interface Suspect {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly description: string | null
}

/**
 * `keep`: an ordinary parameter. `ignore`: the gateway sets it itself. `covered`: the credential of the upstream takes
 * its place. Otherwise the reason to leave it out.
 */
export type Verdict = 'keep' | 'ignore' | 'covered' | { readonly leaveOut: string }

/** Headers that a client sets itself; OpenAPI says to ignore the first two as parameters. */
const CLIENT_HEADERS = /^(accept|content-type|content-length|host|user-agent|connection)$/i
/** Names that only credentials have, wherever they stand. */
const CREDENTIAL = /^((proxy-)?authorization|x?[-_]?api[-_]?key|access[-_]?token)$/i
const CREDENTIAL_HEADER = /^((proxy-)?authorization|cookie)$|api[-_]?key|token$|secret|password/i
/** Names under which services take the token of `Authorization` as well (RFC 6750 §2.3). */
const TOKEN = /^(token|(access|auth|bearer|api|oauth)[-_]?token|authorization|auth|bearer)$/i

/** Decides about the parameters of an operation that carry a credential, which callers should not need to know. */
export function credentialJudge(
  document: Json,
  header: string | null,
  needsCredential: boolean,
): (parameter: Suspect) => Verdict {
  const names = new Set([...schemeNames(document), header ?? ''])
  const takesToken = header === 'authorization' && needsCredential
  return parameter => {
    const { in: place, name } = parameter
    if (place === 'path') return 'keep'
    if (place === 'header' && CLIENT_HEADERS.test(name)) return 'ignore'
    if (names.has(name.toLowerCase())) return place === 'header' ? 'ignore' : 'covered'
    if (takesToken && isToken(parameter)) return 'covered'
    return uncovered(parameter)
  }
}

/** Whether the name of a parameter says that it carries a credential. */
export function carriesCredential(place: string, name: string): boolean {
  return (place === 'header' ? CREDENTIAL_HEADER : CREDENTIAL).test(name)
}

/** No security scheme describes the parameter, so only its name shows whether it carries a credential. */
function uncovered({ in: place, name }: Suspect): Verdict {
  if (!carriesCredential(place, name)) return 'keep'
  return { leaveOut: 'is a credential that no security scheme describes' }
}

/** A parameter named `token` may also be the thing that the operation is about, such as an invitation. */
function isToken({ name, description }: Suspect): boolean {
  if (!TOKEN.test(name)) return false
  return (
    !/^token$/i.test(name) ||
    description === null ||
    /auth|access|bearer|credential|api|secret/i.test(description)
  )
}
