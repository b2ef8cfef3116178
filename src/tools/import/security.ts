import { isObject } from '../../lib/is-object.ts'
import { NotExpressible } from './errors.ts'
import { type Json, listOf, objectMembers, textOf } from './references.ts'

/** The credential of an upstream, and the header that carries it. */
export interface Credential {
  /** Name of its security scheme. */
  readonly scheme: string
  readonly header: string
  readonly value: string
}

/** Chooses the scheme that most operations can use, among those that use a header. */
export function chooseCredential(document: Json, operations: readonly Json[]): Credential | null {
  const schemes = isObject(document.components) ? document.components.securitySchemes : undefined
  const known = objectMembers(schemes).flatMap(
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

function credentialOf(scheme: string, source: Json): Credential | null {
  switch (source.type) {
    case 'oauth2':
    case 'openIdConnect':
      return authorization(scheme, 'Bearer')
    case 'http':
      return httpCredential(scheme, String(source.scheme).toLowerCase())
    case 'apiKey':
      return apiKey(scheme, source)
    default:
      return null
  }
}

function httpCredential(scheme: string, kind: string): Credential | null {
  if (kind === 'bearer') return authorization(scheme, 'Bearer')
  if (kind !== 'basic') return null
  return authorization(scheme, 'Basic')
}

function authorization(scheme: string, kind: 'Bearer' | 'Basic'): Credential {
  return { scheme, header: 'authorization', value: `${kind} \${credential}` }
}

/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/

function apiKey(scheme: string, source: Json): Credential | null {
  const name = textOf(source.name) ?? ''
  if (source.in !== 'header' || !HEADER_NAME.test(name)) return null
  return { scheme, header: name.toLowerCase(), value: '${credential}' }
}

/** Whether an operation needs the one credential of the upstream. @throws {NotExpressible} if it needs another one. */
export function needsCredential(
  document: Json,
  operation: Json,
  credential: Credential | null,
): boolean {
  const alternatives = requirementsOf(document, operation)
  if (alternatives.some(names => names.length === 0) || alternatives.length === 0) return false
  if (alternatives.some(names => names.length === 1 && names[0] === credential?.scheme)) return true
  const needed = alternatives.map(names => names.join(' and ')).join(', or ')
  throw new NotExpressible(`needs the credential ${needed}, of a kind that no card can send`)
}

/** The names under which the security schemes of a document send a credential, in lower case. */
export function schemeNames(document: Json): ReadonlySet<string> {
  const schemes = isObject(document.components) ? document.components.securitySchemes : undefined
  return new Set(
    objectMembers(schemes).flatMap(([, { type, name }]) =>
      type === 'apiKey'
        ? (textOf(name)?.toLowerCase() ?? [])
        : type === 'http'
          ? 'authorization'
          : [],
    ),
  )
}

/** The alternatives. Each lists the names of the schemes that it needs together. */
export function requirementsOf(document: Json, operation: Json): string[][] {
  return listOf(operation.security ?? document.security)
    .filter(isObject)
    .map(requirement => Object.keys(requirement))
}
