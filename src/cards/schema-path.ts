import type { JsonSchema } from '../model/card.ts'

/**
 * The schema of a member: `unknown` when there is no such member, `any` when the schema does not say
 * what is there.
 */
export type SchemaAt = JsonSchema | 'any' | 'unknown'

/** Looks up one member of an object; a list is looked through, as if its items stood in its place. */
export function memberSchema(schema: JsonSchema, name: string): SchemaAt {
  const { properties, additionalProperties } = itemSchema(schema)
  if (isSchema(properties) && Object.hasOwn(properties, name)) {
    const member = properties[name]
    return isSchema(member) ? member : 'any'
  }
  if (isSchema(additionalProperties)) return additionalProperties
  // Without properties, or with schemas that are put together from others, nothing can be ruled out.
  return additionalProperties === false || isSchema(properties) ? 'unknown' : 'any'
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

/** Of what a list holds, however deep; of anything else, itself. */
export function itemSchema(schema: JsonSchema): JsonSchema {
  return isSchema(schema.items) ? itemSchema(schema.items) : schema
}

export function isList(schema: SchemaAt): boolean {
  if (typeof schema === 'string') return schema === 'any'
  return [schema.type].flat().includes('array')
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
