import { isObject } from '../../lib/is-object.ts'
import { NotExpressible } from './offer.ts'
import { type Json, listOf, membersOf, textOf } from './references.ts'

/** The one credential of an upstream, and the header that carries it. */
export interface Credential {
  /** Name of its security scheme. */
  readonly scheme: string
  readonly header: string
  readonly value: string
  /** What the author should know of it. */
  readonly notes: readonly string[]
}

/** The scheme that most operations can use, of those that a header carries. */
export function chooseCredential(document: Json, operations: readonly Json[]): Credential | null {
  const schemes = isObject(document.components) ? document.components.securitySchemes : undefined
  const known = membersOf(schemes).flatMap(
    ([name, scheme]) => credentialOf(name, scheme.$ref ? {} : scheme) ?? [],
  )
  const uses = ({ scheme }: Credential) =>
    operations.filter(operation =>
      requirementsOf(document, operation).some(names => names.length === 1 && names[0] === scheme),
    ).length
  const ranked = known.map(credential => ({ credential, count: uses(credential) }))
  const [best] = ranked.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  return best?.credential ?? null
}

/** RFC 9110's token. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/

function credentialOf(scheme: string, source: Json): Credential | null {
  const bearer = { scheme, header: 'authorization', value: 'Bearer ${credential}', notes: [] }
  switch (source.type) {
    case 'oauth2':
    case 'openIdConnect':
      return bearer
    case 'http':
      if (String(source.scheme).toLowerCase() === 'bearer') return bearer
      if (String(source.scheme).toLowerCase() !== 'basic') return null
      return {
        ...bearer,
        value: 'Basic ${credential}',
        notes: ['The credential is the Base64 of "user:password".'],
      }
    case 'apiKey':
      if (source.in !== 'header' || !HEADER_NAME.test(textOf(source.name) ?? '')) return null
      return {
        scheme,
        header: (textOf(source.name) ?? '').toLowerCase(),
        value: '${credential}',
        notes: [],
      }
    default:
      return null
  }
}

/** Whether an operation needs the credential. @throws {NotExpressible} when it needs another one. */
export function needsCredential(
  document: Json,
  operation: Json,
  credential: Credential | null,
): boolean {
  const alternatives = requirementsOf(document, operation)
  if (alternatives.some(names => names.length === 0) || alternatives.length === 0) return false
  if (alternatives.some(names => names.length === 1 && names[0] === credential?.scheme)) return true
  const asked = alternatives.map(names => names.join(' and ')).join(', or ')
  throw new NotExpressible(
    credential
      ? `needs the credential ${asked}, and the upstream sends ${credential.scheme}`
      : `needs the credential ${asked}, which is not sent in a header of its own`,
  )
}

/** The alternatives, each with the names of the schemes that it takes together. */
function requirementsOf(document: Json, operation: Json): string[][] {
  return listOf(operation.security ?? document.security)
    .filter(isObject)
    .map(requirement => Object.keys(requirement))
}
