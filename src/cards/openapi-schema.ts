import { isObject } from '../lib/is-object.ts'
import type { JsonSchema } from '../model/card.ts'
import { SCHEMA_MAPS, SCHEMAS } from './inline-refs.ts'

/**
 * A card's schema as OpenAPI 3.1 reads it. Cards use draft 7 of JSON Schema, OpenAPI the draft 2020-12, which has other
 * keywords for tuples and dependencies.
 * @param base the pointer under which the schema stands in the document, such as `#/components/schemas/x`
 */
export function toOpenapiSchema(schema: JsonSchema, base: string): JsonSchema {
  return convert(schema, base) as JsonSchema
}

/** Whether a schema refers to parts of itself. Only then it matters where in a document it stands. */
export function hasReferences(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$ref":')
}

function convert(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map(one => convert(one, base))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    const special = KEYWORDS[keyword]
    return special ? special(value, schema, base) : [[keyword, part(keyword, value, base)] as const]
  })
  const converted = Object.fromEntries(entries)
  const isList = [schema.type].flat().includes('array')
  return isList && converted.items === undefined ? { ...converted, items: {} } : converted
}

function part(keyword: string, value: unknown, base: string): unknown {
  if (SCHEMAS.has(keyword)) return convert(value, base)
  if (!SCHEMA_MAPS.has(keyword) || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, convert(schema, base)]),
  )
}

/** Linters want an object where a list says which items it has. */
const NOTHING = { not: {} }

type Members = readonly (readonly [string, unknown])[]
type Rewrite = (value: unknown, schema: JsonSchema, base: string) => Members

/** The keywords that mean something else, or nothing, in the draft 2020-12. */
const KEYWORDS: Readonly<Record<string, Rewrite>> = {
  $schema: () => [],
  $id: () => [],
  $ref: (value, _schema, base) => [['$ref', toDocument(String(value), base)]],
  definitions: (value, _schema, base) => [['$defs', part('$defs', value, base)]],
  items: (value, _schema, base) => [
    [Array.isArray(value) ? 'prefixItems' : 'items', convert(value, base)],
  ],
  additionalItems: (value, { items }, base) =>
    Array.isArray(items) ? [['items', value === false ? NOTHING : convert(value, base)]] : [],
  dependencies: (value, _schema, base) => splitDependencies(value, base),
  nullable: () => [],
  type: (value, { nullable }) => [['type', nullable === true ? [value, 'null'].flat() : value]],
  example: (value, { examples }) => (examples === undefined ? [['examples', [value]]] : []),
}

function toDocument(reference: string, base: string): string {
  if (!reference.startsWith('#')) return reference
  return base + reference.slice(1).replace(/^\/definitions\//, '/$defs/')
}

/** One keyword has become two: for lists of members, and for schemas. */
function splitDependencies(value: unknown, base: string): Members {
  const entries = Object.entries(isObject(value) ? value : {})
  const lists = entries.filter(([, one]) => Array.isArray(one))
  const schemas = entries.filter(([, one]) => !Array.isArray(one))
  return [
    ['dependentRequired', lists] as const,
    ['dependentSchemas', schemas.map(([name, one]) => [name, convert(one, base)])] as const,
  ]
    .filter(([, members]) => members.length > 0)
    .map(([keyword, members]) => [keyword, Object.fromEntries(members as [string, unknown][])])
}
