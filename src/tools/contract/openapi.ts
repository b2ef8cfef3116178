import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { isObject } from '../../lib/is-object.ts'
import { escapeKey, pointerKeys } from '../../lib/json-pointer.ts'
import { matchScore, type Segment } from './segments.ts'

/** GitHub's published description of its REST API. */
export interface OpenApi {
  /** The operations whose path matches these segments, best match first. */
  find(method: string, segments: readonly Segment[]): readonly Operation[]
  /** The methods of the path that matches these segments best. */
  methodsOf(segments: readonly Segment[]): readonly string[]
  /** The faults of a value by the schema at this pointer; empty when it has none. */
  validate(pointer: string, value: unknown): readonly string[]
  /** Follows `$ref` from this pointer; the value is an empty object when nothing is there. */
  resolve(pointer: string): { readonly pointer: string; readonly value: Schema }
}

export type Schema = Readonly<Record<string, unknown>>

export interface Operation {
  readonly method: string
  readonly path: string
  /** JSON pointer to the operation. */
  readonly pointer: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: unknown
}

export function createOpenApi(original: Document): OpenApi {
  const document = corrected(structuredClone(original)) as Document
  const paths = Object.keys(document.paths).map(path => ({
    path,
    segments: path.slice(1).split('/'),
  }))
  const resolve: OpenApi['resolve'] = pointer => {
    const value = at(document, pointer) ?? {}
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
        .filter(({ path }) => document.paths[path]?.[name])
        .map(({ path }) => ({ method, path, pointer: `/paths/${escapeKey(path)}/${name}` }))
    },
    methodsOf: segments => {
      const [found] = matching(segments)
      return Object.keys(document.paths[found?.path ?? ''] ?? {}).map(name => name.toUpperCase())
    },
    validate: createValidator(document),
  }
}

/** Compiles each schema at its first use. */
function createValidator({ paths, components }: Document): OpenApi['validate'] {
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true })
  addFormats.default(ajv)
  // GitHub's name for owner/name of a repository.
  ajv.addFormat('repo.nwo', /^[^/]+\/[^/]+$/)
  ajv.addSchema({ $id: 'published', paths, components })
  const validators = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    let check = validators.get(pointer)
    if (!check) {
      check = ajv.compile({ $ref: `published#${encodeURI(pointer)}` })
      validators.set(pointer, check)
    }
    if (check(value)) return []
    return (check.errors ?? []).map(
      error => `${error.instancePath || 'the value'} ${error.message}`,
    )
  }
}

function at(document: unknown, pointer: string): Schema | undefined {
  return pointerKeys(pointer)
    .map(decodeURIComponent)
    .reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], document) as
    | Schema
    | undefined
}

/** Corrects the description where it contradicts GitHub itself, or where Ajv would read it differently. */
function corrected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(corrected)
  if (!isObject(value)) return value
  const schema = Object.fromEntries(
    // The alternatives in GitHub's schemas overlap, so more than one of them may match.
    Object.entries(value).map(([key, item]) => [key === 'oneOf' ? 'anyOf' : key, corrected(item)]),
  )
  // Some descriptions allow an empty array where the schema requires an item.
  if ('minItems' in schema && /\ban empty array\b/.test(String(schema.description))) {
    schema.minItems = 0
  }
  return schema.nullable === true ? withNull(schema) : schema
}

/** Ajv honours OpenAPI 3.0's `nullable` only beside `type`, and not for the values of an `enum`. */
function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable: _, ...others } = schema
  if (!('type' in schema)) return { anyOf: [{ type: 'null' }, others] }
  return Array.isArray(schema.enum)
    ? { ...schema, enum: [...(schema.enum as unknown[]), null] }
    : schema
}
