import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../lib/is-object.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { JsonSchema } from '../model/card.ts'

/** Keywords whose value is a schema, or a list of schemas. */
export const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
])

/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])

/** Keywords that describe a value and restrict nothing: beside a `$ref` they may replace the definition's. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])

/** The schema that a `$ref` stands for. `keep` leaves the `$ref` in place; null means a reported fault. */
export type Resolved = JsonSchema | 'keep' | null

export interface References {
  readonly resolve: (ref: string, path: KeyPath) => Resolved
  readonly report: (path: KeyPath, message: string, fix: string) => void
}

/** A copy of a schema in which each `$ref` is replaced by what it stands for. */
export function inlineRefs(schema: JsonSchema, path: KeyPath, references: References): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const at = [...path, keyword]
    if (SCHEMAS.has(keyword)) return [keyword, inlinePart(value, at, references)]
    if (!SCHEMA_MAPS.has(keyword) || !isObject(value)) return [keyword, value]
    const parts = Object.entries(value).map(([name, part]) => [
      name,
      inlinePart(part, [...at, name], references),
    ])
    return [keyword, Object.fromEntries(parts)]
  })
  const copy = Object.fromEntries(entries) as JsonSchema
  return typeof copy.$ref === 'string' ? replaceRef(copy.$ref, copy, path, references) : copy
}

function inlinePart(value: unknown, path: KeyPath, references: References): unknown {
  if (Array.isArray(value)) {
    return value.map((part, index) => inlinePart(part, [...path, index], references))
  }
  return isObject(value) ? inlineRefs(value, path, references) : value
}

function replaceRef(
  ref: string,
  schema: JsonSchema,
  path: KeyPath,
  { resolve, report }: References,
): JsonSchema {
  const found = resolve(ref, [...path, '$ref'])
  if (found === 'keep') return schema
  // An open schema in place of a faulty one: the validator has nothing to add to the report.
  if (found === null) return {}
  const { $ref: _, ...others } = schema
  for (const [keyword, value] of Object.entries(others)) {
    const fault = faultBeside(found, keyword, value)
    if (fault) report([...path, keyword], fault, 'Remove it, or write the schema out.')
  }
  return { ...found, ...others }
}

/**
 * In JSON Schema a definition and the keywords beside its `$ref` both hold. A merged schema means the same only
 * if no keyword restricts twice, and if keywords that depend on each other, like `properties` and
 * `additionalProperties`, stay together.
 */
function faultBeside(found: JsonSchema, keyword: string, value: unknown): string | null {
  if (ANNOTATIONS.has(keyword) || isDeepStrictEqual(found[keyword], value)) return null
  if (keyword in found) return 'differs from the definition that $ref names'
  if (SCHEMAS.has(keyword) || SCHEMA_MAPS.has(keyword)) return 'cannot stand beside $ref'
  return null
}
