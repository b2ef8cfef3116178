import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { withConstant } from './discriminator.ts'
import { keywordsOfType } from './keywords.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { nullable } from './nullable.ts'
import { type Json, listOf } from './references.ts'

/** More alternatives than this are not compared with each other. */
const MOST_COMPARED = 60
const MAX_DEPTH = 3

/**
 * Adds the alternatives of `oneOf` or `anyOf` to a schema. They stay `oneOf` if no value fits two of them, and
 * become `anyOf` otherwise, because the alternatives in documents often overlap.
 */
export function withAlternatives(
  schema: JsonSchema,
  source: Json,
  { direction, notes }: { readonly direction: 'input' | 'output'; readonly notes: Set<string> },
  convert: (part: unknown) => JsonSchema,
): JsonSchema {
  const parts = [...listOf(source.oneOf), ...listOf(source.anyOf)]
  if (parts.length === 0) return schema
  const all = parts.map(part => withConstant(part, convert(part), source.discriminator, direction))
  const branches = all.filter(({ type, ...others }) => type !== 'null' || !isEmpty(others))
  const isNullable = branches.length < all.length
  const [only] = branches
  if (only && branches.length === 1) {
    const merged = mergeSchemas([schema, only])
    if (merged) return isNullable ? nullable(keywordsOfType(merged, notes)) : merged
  }
  return { ...schema, [areExclusive(all) ? 'oneOf' : 'anyOf']: all }
}

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined
  return properties[name] as JsonSchema
}

/** True if no value can fit two of the schemas. */
export function areExclusive(parts: readonly JsonSchema[]): boolean {
  if (parts.length > MOST_COMPARED) return false
  return parts.every((part, index) => parts.slice(index + 1).every(other => differ(part, other, 0)))
}

function differ(a: JsonSchema, b: JsonSchema, depth: number): boolean {
  const [left, right] = [valuesOf(a), valuesOf(b)]
  if (left && right) return left.every(value => !right.includes(value))
  const [types, others] = [typesOf(a), typesOf(b)]
  if (types.length === 0 || others.length === 0) return false
  const common = types.filter(type => others.includes(type))
  if (common.length === 0) return true
  if (common.some(type => type !== 'object') || depth >= MAX_DEPTH) return false
  return requiredOf(a)
    .filter(name => requiredOf(b).includes(name))
    .some(name => {
      const [one, other] = [propertyOf(a, name), propertyOf(b, name)]
      return one !== undefined && other !== undefined && differ(one, other, depth + 1)
    })
}

/** The values that a schema lists; null if it allows others. */
function valuesOf({ const: value, enum: values }: JsonSchema): readonly unknown[] | null {
  const all = value === undefined ? values : [value]
  return Array.isArray(all) && all.every(one => typeof one !== 'object' || one === null)
    ? all
    : null
}

/** Every integer is a number, so the two count as one type. */
function typesOf({ type }: JsonSchema): readonly unknown[] {
  if (type === undefined) return []
  return [type].flat().map(one => (one === 'integer' ? 'number' : one))
}

function requiredOf({ required }: JsonSchema): readonly string[] {
  return listOf(required).map(String)
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
