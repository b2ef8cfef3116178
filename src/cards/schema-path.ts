import { isObject } from '../lib/is-object.ts'
import type { JsonSchema } from '../model/card.ts'

/** The schema of a member; `unknown` if there is no such member, `any` if the schema leaves open what it is. */
export type SchemaAt = JsonSchema | 'any' | 'unknown'

/** Looks up one member of an object. For a list, looks it up in the items. */
export function memberSchema(schema: JsonSchema, name: string): SchemaAt {
  const { properties, additionalProperties } = itemSchema(schema)
  if (isObject(properties) && Object.hasOwn(properties, name)) {
    const member = properties[name]
    return isObject(member) ? member : 'any'
  }
  if (isObject(additionalProperties)) return additionalProperties
  // A schema without `properties`, such as one of `anyOf`, does not rule the member out.
  return additionalProperties === false || isObject(properties) ? 'unknown' : 'any'
}

/** Looks up a dotted path. */
export function schemaAt(schema: JsonSchema, path: string): SchemaAt {
  let found: SchemaAt = schema
  for (const name of path.split('.')) {
    if (typeof found === 'string') return found
    found = memberSchema(found, name)
  }
  return found
}

/** The schema of a list's items, also of lists in lists; of anything else, the schema itself. */
export function itemSchema(schema: JsonSchema): JsonSchema {
  return isObject(schema.items) ? itemSchema(schema.items) : schema
}

export function isList(schema: SchemaAt): boolean {
  if (typeof schema === 'string') return schema === 'any'
  return [schema.type].flat().includes('array')
}

/** True unless the schema rules null out by its type or its values. */
export function allowsNull({ type, enum: values, const: value }: JsonSchema): boolean {
  if (value !== undefined) return value === null
  if (Array.isArray(values) && !values.includes(null)) return false
  return type === undefined || [type].flat().includes('null')
}
