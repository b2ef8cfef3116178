import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'

/** Writes a JSON Schema as a TypeScript type. A keyword that no type can express widens the type. */
export function schemaType(schema: unknown): string {
  if (!isObject(schema)) return 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(value => JSON.stringify(value)))
  const { type, properties } = schema
  if (type === undefined && !isObject(properties)) return combinedType(schema)
  const types = [type ?? 'object'].flat() as string[]
  return union(types.map(name => typeOf(name, schema)))
}

/** The type of a schema that only combines others. */
function combinedType({ anyOf, oneOf, allOf }: JsonSchema): string {
  const branches = anyOf ?? oneOf
  if (Array.isArray(branches)) return union(branches.map(schemaType))
  return Array.isArray(allOf) ? allOf.map(schemaType).join(' & ') : 'unknown'
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  return distinct.length === 1 ? (distinct[0] as string) : `(${distinct.join(' | ')})`
}

function typeOf(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly ${wrap(schemaType(schema.items))}[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function wrap(type: string): string {
  return /^readonly | & /.test(type) ? `(${type})` : type
}

function objectType({ properties, required, additionalProperties }: JsonSchema): string {
  const needed = new Set((required as readonly string[] | undefined) ?? [])
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, schema]) =>
      `readonly ${JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${schemaType(schema)}`,
  )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  if (isObject(additionalProperties)) {
    return `{ readonly [name: string]: ${schemaType(additionalProperties)} }`
  }
  return additionalProperties === false
    ? '{ readonly [name: string]: never }'
    : '{ readonly [name: string]: unknown }'
}
