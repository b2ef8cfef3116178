import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { type Json, textOf } from './references.ts'

/**
 * Adds the constant by which a discriminator recognizes an alternative. Without a mapping this is the name of the
 * schema (OpenAPI, Discriminator Object); but many services answer with other names, so only inputs rely on it.
 * @param part the alternative in the document.
 */
export function withConstant(
  part: unknown,
  converted: JsonSchema,
  discriminator: unknown,
  direction: 'input' | 'output',
): JsonSchema {
  if (!isObject(discriminator)) return converted
  const property = textOf(discriminator.propertyName)
  const values = valuesFor(part, discriminator, direction)
  if (property === null || values.length === 0 || isFixed(converted, property)) return converted
  const only = values.length === 1 ? { const: values[0] } : { enum: values }
  const properties = { [property]: { type: 'string', ...only } }
  const constant = { type: 'object', required: [property], properties }
  return mergeSchemas([converted, constant]) ?? converted
}

function valuesFor(part: unknown, { mapping }: Json, direction: 'input' | 'output'): string[] {
  const reference = isObject(part) ? textOf(part.$ref) : null
  if (reference === null) return []
  const name = reference.split('/').at(-1) ?? reference
  const mapped = Object.entries(isObject(mapping) ? mapping : {})
    .filter(([, target]) => target === reference || target === name)
    .map(([value]) => value)
  return mapped.length > 0 || direction === 'output' ? mapped : [name]
}

/** True if the schema itself says which values the property has. */
function isFixed({ properties }: JsonSchema, name: string): boolean {
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return false
  const own = properties[name] as JsonSchema
  return own.enum !== undefined || own.const !== undefined
}
