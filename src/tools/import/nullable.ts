import type { JsonSchema } from '../../model/card.ts'

const UNIONS = ['anyOf', 'oneOf'] as const

/** Adds null to the values that a schema allows. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0 || allowsNull(schema)) return schema
  const union = UNIONS.find(key => Array.isArray(schema[key]))
  if (union !== undefined && schema.type === undefined) {
    return { ...schema, [union]: [...(schema[union] as JsonSchema[]), { type: 'null' }] }
  }
  const isPlain = !['const', 'allOf', 'not', ...UNIONS].some(key => key in schema)
  return isPlain ? withNull(schema) : { anyOf: [schema, { type: 'null' }] }
}

function withNull({ type, enum: values, ...others }: JsonSchema): JsonSchema {
  return {
    ...(type === undefined ? {} : { type: [...new Set([...[type].flat(), 'null'])] }),
    ...(Array.isArray(values) ? { enum: [...new Set([...(values as unknown[]), null])] } : {}),
    ...others,
  }
}

/** True if the schema names null among its values. */
export function allowsNull(schema: JsonSchema): boolean {
  const { type, enum: values } = schema
  if (Array.isArray(values)) return values.includes(null) && (type === undefined || hasNull(type))
  return hasNull(type) || UNIONS.some(key => someAllowsNull(schema[key]))
}

function hasNull(type: unknown): boolean {
  return [type].flat().includes('null')
}

function someAllowsNull(parts: unknown): boolean {
  return Array.isArray(parts) && parts.some(part => allowsNull(part as JsonSchema))
}
