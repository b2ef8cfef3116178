import { isObject } from '../../lib/is-object.ts'
import { NotExpressible } from './errors.ts'
import { wordsOf } from './names.ts'
import { deref, type Json, objectMembers, textOf } from './references.ts'
import { type Credential, chooseCredential, needsCredential, requirementsOf } from './security.ts'

/** A security scheme of the document, as `schemes` of `upstream.yaml` declares it. */
interface Scheme {
  /** Its name in the folder. */
  readonly id: string
  readonly section: Json
}

/** The schemes of a document, by their names in the document; `used` are those that its operations need. */
export interface Schemes {
  readonly known: ReadonlyMap<string, Scheme>
  readonly used: ReadonlyMap<string, Scheme>
  /** `needs` of most operations. */
  readonly usual: Needs
}

/** One credential in a header is enough, or the upstream declares schemes; neither if no operation needs any. */
export interface Secured {
  readonly credential: Credential | null
  readonly schemes: Schemes | null
}

/** The keys of `upstream.yaml`, and the variables that they read. */
export interface Security {
  readonly keys: Json
  readonly variables: readonly string[]
}

type Names = readonly string[]
type Needs = Names | { readonly any: readonly Names[] }

/** Chooses how the upstream identifies itself: the short form with one credential, if that serves all operations. */
export function secure(document: Json, operations: readonly Json[]): Secured {
  const known = knownSchemes(document)
  const credential = chooseCredential(document, operations)
  const serves = (operation: Json) =>
    requirementsOf(document, operation).some(
      names => names.length === 0 || (names.length === 1 && names[0] === credential?.scheme),
    )
  const secured = operations.filter(one => usableOf(document, one, known).length > 0)
  const isShort =
    credential !== null && !credential.value.startsWith('Basic ') && secured.every(serves)
  const needed = secured.flatMap(one => usableOf(document, one, known)).flat()
  if (isShort || needed.length === 0) return { credential, schemes: null }
  const used = new Map([...known].filter(([name]) => needed.includes(name)))
  const all = secured.map(one => needsFor(document, one, known)).filter(needs => !isEmpty(needs))
  return { credential, schemes: { known, used, usual: mostCommon(all) } }
}

/** The alternatives of which a card can send every secret. */
function usableOf(document: Json, operation: Json, known: ReadonlyMap<string, Scheme>): Names[] {
  return requirementsOf(document, operation)
    .map(names => names.filter((name, index) => !repeats(known, names.slice(0, index), name)))
    .filter(names => {
      const places = names.map(name => placeOf(known.get(name)))
      return !places.includes(null) && new Set(places).size === places.length
    })
}

/** Some documents describe one secret several times, and need all of these together. */
function repeats(known: ReadonlyMap<string, Scheme>, earlier: Names, name: string): boolean {
  const label = (one: string) => JSON.stringify(known.get(one)?.section)
  return known.has(name) && earlier.some(one => label(one) === label(name))
}

/** Two secrets cannot have one place. */
function placeOf(scheme: Scheme | undefined): string | null {
  if (!scheme) return null
  const { type, name = 'authorization' } = scheme.section
  const place = type === 'query' || type === 'cookie' ? type : 'header'
  return `${place} ${String(name).toLowerCase()}`
}

function needsFor(document: Json, operation: Json, known: ReadonlyMap<string, Scheme>): Needs {
  const usable = usableOf(document, operation, known).map(names =>
    names.map(name => known.get(name)?.id ?? ''),
  )
  const [first = []] = usable.filter(names => names.length > 0)
  const isOptional = first.length > 0 && usable.some(names => names.length === 0)
  return isOptional ? { any: [first, []] } : first
}

function isEmpty(needs: Needs): boolean {
  return !('any' in needs) && needs.length === 0
}

function mostCommon(all: readonly Needs[]): Needs {
  const labels = all.map(needs => JSON.stringify(needs))
  const count = (label: string) => labels.filter(other => other === label).length
  const [most = '[]'] = [...new Set(labels)].toSorted((a, b) => count(b) - count(a))
  return JSON.parse(most) as Needs
}

function knownSchemes(document: Json): ReadonlyMap<string, Scheme> {
  const schemes = isObject(document.components) ? document.components.securitySchemes : undefined
  const taken = new Set<string>()
  const found = objectMembers(schemes).flatMap(([name, source]) => {
    const section = sectionOf(deref(document, source))
    return section ? [[name, { id: uniqueId(name, taken), section }] as const] : []
  })
  return new Map(found)
}

function uniqueId(name: string, taken: Set<string>): string {
  const words = wordsOf(name).join('_') || 'key'
  const id = /^[a-z]/.test(words) ? words : `x${words}`
  const free =
    [id, ...[2, 3, 4, 5, 6, 7, 8, 9].map(n => `${id}_${n}`)].find(one => !taken.has(one)) ?? id
  taken.add(free)
  return free
}

function sectionOf({ type, scheme, name, in: place }: Json): Json | null {
  if (type === 'oauth2' || type === 'openIdConnect') return { type: 'bearer' }
  if (type === 'http') return httpSection(String(scheme).toLowerCase())
  const own = textOf(name)
  if (type !== 'apiKey' || own === null || !/^(header|query|cookie)$/.test(String(place)))
    return null
  return place === 'query' || /^[!#$%&'*+\-.^_`|~\w]+$/.test(own)
    ? { type: place, name: own }
    : null
}

function httpSection(scheme: string): Json | null {
  return scheme === 'bearer' || scheme === 'basic' ? { type: scheme } : null
}

/** The keys of a card for its credential. */
export interface CardNeeds {
  readonly keys: Json
  readonly isNeeded: boolean
  /** The header that carries the secret, if it is one. */
  readonly header: string | null
}

/** @throws {NotExpressible} if no card can send the credential that an operation needs. */
export function needsOf(
  document: Json,
  operation: Json,
  { credential, schemes }: Secured,
): CardNeeds {
  if (!schemes) {
    const isNeeded = needsCredential(document, operation, credential)
    return { keys: {}, isNeeded, header: credential?.header ?? null }
  }
  const alternatives = requirementsOf(document, operation)
  if (alternatives.length > 0 && usableOf(document, operation, schemes.known).length === 0) {
    const needed = alternatives.map(names => names.join(' and ')).join(', or ')
    throw new NotExpressible(`needs the credential ${needed}, of a kind that no card can send`)
  }
  const needs = needsFor(document, operation, schemes.known)
  const isUsual = JSON.stringify(needs) === JSON.stringify(schemes.usual)
  const names = 'any' in needs ? needs.any.flat() : needs
  const sections = [...schemes.used.values()]
    .filter(({ id }) => names.includes(id))
    .map(one => one.section)
  const isBearer = sections.some(({ type }) => type === 'bearer' || type === 'basic')
  return {
    keys: isUsual ? {} : { needs },
    isNeeded: names.length > 0,
    header: isBearer ? 'authorization' : null,
  }
}

/** Declares the schemes, and one credential whose secrets are variables. */
export function draftSecurity({ used, usual }: Schemes, prefix: string): Security {
  const sources = [...used.values()].map(({ id, section }) => {
    const name = `${prefix}_${id.toUpperCase()}`
    const env = section.type === 'basic' ? [`${name}_USERNAME`, `${name}_PASSWORD`] : [name]
    const [first, second] = env
    const source =
      second === undefined
        ? { env: first }
        : { username: { env: first }, password: { env: second } }
    return { id, section, source, env }
  })
  return {
    keys: {
      schemes: Object.fromEntries(sources.map(({ id, section }) => [id, section])),
      credentials: { default: Object.fromEntries(sources.map(({ id, source }) => [id, source])) },
      needs: usual,
    },
    variables: sources.flatMap(({ env }) => env),
  }
}
