import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/** GitHub's published description of its REST API, ready to be asked. */
export interface OpenApi {
  /** The operations that a path may belong to, given by its segments; the likeliest first. */
  find(method: string, segments: readonly Segment[]): readonly Operation[]
  /** What the likeliest path for these segments takes. */
  methodsOf(segments: readonly Segment[]): readonly string[]
  /** What is wrong with a value, in words; empty when nothing is. */
  validate(pointer: string, value: unknown): readonly string[]
  /** Follows `$ref` to where a thing is described; an empty object when there is nothing. */
  resolve(pointer: string): { readonly pointer: string; readonly value: Schema }
}

export type Schema = Readonly<Record<string, unknown>>

/**
 * One segment of a path: a literal, a value in the place of a parameter (null), a word of the path that is
 * not known, or anything whatever.
 */
export type Segment = string | null | typeof WORD | typeof ANY
export const WORD: unique symbol = Symbol('word')
export const ANY: unique symbol = Symbol('any')

export interface Operation {
  readonly method: string
  readonly path: string
  /** JSON pointer to it. */
  readonly pointer: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: unknown
}

export function createOpenApi(document: Document): OpenApi {
  const known = corrected(structuredClone(document)) as Document
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'github', paths: known.paths, components: known.components })
  const validators = new Map<string, ValidateFunction>()
  const paths = Object.keys(known.paths).map(path => ({ path, segments: path.slice(1).split('/') }))
  const resolve: OpenApi['resolve'] = pointer => {
    const value = at(known, pointer) ?? {}
    const reference = value.$ref
    return typeof reference === 'string' ? resolve(reference.slice(1)) : { pointer, value }
  }
  const matching = (segments: readonly Segment[]) =>
    paths
      .map(({ path, segments: own }) => ({ path, score: matchScore(own, segments) }))
      .filter(({ score }) => score !== null)
      .toSorted((a, b) => Number(b.score) - Number(a.score))
  return {
    resolve,
    find(method, segments) {
      const name = method.toLowerCase()
      return matching(segments)
        .filter(({ path }) => known.paths[path]?.[name])
        .map(({ path }) => ({ method, path, pointer: `/paths/${escape(path)}/${name}` }))
    },
    methodsOf: segments => {
      const [found] = matching(segments)
      return Object.keys(known.paths[found?.path ?? ''] ?? {}).map(name => name.toUpperCase())
    },
    validate(pointer, value) {
      let check = validators.get(pointer)
      if (!check) {
        check = ajv.compile({ $ref: `github#${encodeURI(pointer)}` })
        validators.set(pointer, check)
      }
      if (check(value)) return []
      return (check.errors ?? []).map(
        error => `${error.instancePath || 'the value'} ${error.message}`,
      )
    },
  }
}

/** The parameters that may hold slashes. */
const OPEN_ENDED = ['{path}', '{ref}']

/** How many literal segments agree, the more the better; null when it is another path. */
function matchScore(own: readonly string[], segments: readonly Segment[]): number | null {
  // Where words are not known, the others must agree: else a misspelt path would be some other one.
  const isStrict = segments.includes(WORD)
  const takesMany =
    !isStrict && segments.length > own.length && OPEN_ENDED.includes(own.at(-1) ?? '')
  if (segments.length !== own.length && !takesMany) return null
  let score = takesMany ? -1 : 0
  for (const [index, segment] of own.entries()) {
    const given = segments[index]
    if (isParameter(segment)) {
      if (isStrict && typeof given === 'string') return null
      continue
    }
    if (given === ANY || given === WORD) continue
    if (given !== segment) return null
    score += 2
  }
  return score
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

export function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function at(document: unknown, pointer: string): Schema | undefined {
  return pointer
    .slice(1)
    .split('/')
    .map(key => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], document) as
    | Schema
    | undefined
}

/**
 * `nullable` of OpenAPI 3.0 means something to Ajv only beside `type`, and not beside `enum`. A list that
 * may be empty in the words of its description has a least length all the same.
 */
function corrected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(corrected)
  if (value === null || typeof value !== 'object') return value
  const schema = Object.fromEntries(
    // The alternatives of GitHub's schemas overlap: more than one of them may hold.
    Object.entries(value).map(([key, item]) => [key === 'oneOf' ? 'anyOf' : key, corrected(item)]),
  )
  if ('minItems' in schema && /\ban empty array\b/.test(String(schema.description))) {
    schema.minItems = 0
  }
  if (schema.nullable !== true) return schema
  const { nullable: _, ...rest } = schema
  if (!('type' in rest)) return { anyOf: [{ type: 'null' }, rest] }
  return Array.isArray(rest.enum)
    ? { ...schema, enum: [...(rest.enum as unknown[]), null] }
    : schema
}
