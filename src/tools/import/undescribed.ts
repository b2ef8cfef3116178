import { isObject } from '../../lib/is-object.ts'
import { carriesCredential } from './covered.ts'
import { NotExpressible } from './errors.ts'
import { deref, type Json, listOf, objectMembers, textOf } from './references.ts'
import { requirementsOf, schemeNames } from './security.ts'

/** A required parameter that carries a credential, by its place and name. */
interface Found {
  readonly id: string
  readonly scheme: Json
}

export interface Described {
  readonly document: Json
  /** Comments for the author, one sentence each. */
  readonly notes: readonly string[]
}

const METHODS = /^(get|head|post|put|patch|delete)$/

/**
 * Adds a security scheme for each required parameter whose name says that it carries a credential, if no scheme of the
 * document describes it. Some services describe their key only as a parameter of each operation.
 */
export function describeCredentials(document: Json): Described {
  const known = schemeNames(document)
  const schemes = new Map<string, Json>()
  const paths = objectMembers(document.paths).map(([path, item]) => {
    const operations = objectMembers(item).flatMap(([method, operation]) => {
      if (!METHODS.test(method)) return []
      const found = credentialsAmong(document, [item, operation], known).filter(
        one => !repeatsToken(document, operation, one),
      )
      for (const { id, scheme } of found) schemes.set(id, scheme)
      return found.length > 0 ? [[method, withNeeds(document, operation, found)] as const] : []
    })
    return [path, { ...item, ...Object.fromEntries(operations) }] as const
  })
  if (schemes.size === 0) return { document, notes: [] }
  const components = isObject(document.components) ? document.components : {}
  const own = isObject(components.securitySchemes) ? components.securitySchemes : {}
  const securitySchemes = { ...own, ...Object.fromEntries(schemes) }
  const all = { ...(document.paths as Json), ...Object.fromEntries(paths) }
  return {
    document: { ...document, components: { ...components, securitySchemes }, paths: all },
    notes: [...schemes].map(([, scheme]) => noteOn(scheme)),
  }
}

function credentialsAmong(
  document: Json,
  owners: readonly Json[],
  known: ReadonlySet<string>,
): Found[] {
  return owners
    .flatMap(({ parameters }) => listOf(parameters))
    .map(one => parameterOf(document, one))
    .filter(one => one.required === true && isUndescribed(one, known))
    .map(toScheme)
}

/** `draft` reports a parameter that cannot be read. */
function parameterOf(document: Json, source: unknown): Json {
  try {
    return deref(document, source)
  } catch (error) {
    if (error instanceof NotExpressible) return {}
    throw error
  }
}

function isUndescribed({ in: place, name }: Json, known: ReadonlySet<string>): boolean {
  const text = textOf(name)
  const at = textOf(place) ?? ''
  if (text === null || !/^(header|query|cookie)$/.test(at)) return false
  return carriesCredential(at, text) && !known.has(text.toLowerCase())
}

function toScheme({ in: place, name, description, schema, example }: Json): Found {
  const id = `${String(name)} in ${String(place)}`
  const hints = JSON.stringify([description, schema, example]).slice(0, 2000)
  const kind = /\bbearer\b/i.test(hints) ? 'bearer' : /\bbasic\b/i.test(hints) ? 'basic' : null
  const isWhole = /^authorization$/i.test(String(name)) && place === 'header'
  const scheme =
    isWhole && kind !== null ? { type: 'http', scheme: kind } : { type: 'apiKey', in: place, name }
  return { id, scheme }
}

/** A scheme of the operation sends the header Authorization anyway. */
function repeatsToken(document: Json, operation: Json, { id }: Found): boolean {
  const all = isObject(document.components) ? document.components.securitySchemes : undefined
  const needed = requirementsOf(document, operation).flat()
  return (
    /^authorization in header$/i.test(id) &&
    objectMembers(all).some(([name, { type }]) => needed.includes(name) && type !== 'apiKey')
  )
}

function withNeeds(document: Json, operation: Json, found: readonly Found[]): Json {
  const more = Object.fromEntries(found.map(({ id }) => [id, []]))
  const alternatives = requirementsOf(document, operation)
  const needed = alternatives.length > 0 ? alternatives : [[]]
  const security = needed.map(names => ({
    ...Object.fromEntries(names.map(name => [name, []])),
    ...more,
  }))
  return { ...operation, security }
}

function noteOn({ type, in: place, name }: Json): string {
  const what = type === 'http' ? 'header Authorization' : `${String(place)} ${String(name)}`
  return `No security scheme of the document describes the ${what}; import took it for a credential by its name.`
}
