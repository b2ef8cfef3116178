import { compileInput, compileOutput } from '../../cards/validate.ts'
import { isObject } from '../../lib/is-object.ts'
import { shorten } from '../../lib/text.ts'
import type { JsonSchema } from '../../model/card.ts'
import { keywordsOfType, plainKeywords } from './keywords.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { follow, type Json, listOf, textOf } from './references.ts'

/** What one operation's schemas are converted for. */
export interface SchemaContext {
  readonly document: Json
  /** What only the service sets is left out of an input, what only a caller sets of an output. */
  readonly direction: 'input' | 'output'
  readonly notes: Set<string>
  /** How many more parts the schemas of this operation may have. */
  readonly budget: { left: number }
}

/** Beyond it, deeper parts become bare types: schemas that refer to each other can be endless. */
export const MOST_PARTS = 1500
const MOST_DEPTH = 30
const LONGEST_DESCRIPTION = 300

/**
 * Turns a schema of OpenAPI 3.0 or 3.1 into one that cards take: references written out, `nullable` as a
 * type, nothing in it that would have no effect.
 */
export function convertSchema(schema: unknown, context: SchemaContext): JsonSchema {
  return usable(convert(schema, context, []), context)
}

/** What a schema could not be turned into without a fault is left open, rather than given up. */
function usable(schema: JsonSchema, { direction, notes }: SchemaContext): JsonSchema {
  const whole = { type: 'object', properties: { value: schema } }
  try {
    if (direction === 'input') compileInput('import', whole)
    else compileOutput(whole)
    return schema
  } catch (error) {
    notes.add(`A schema was left open, since it cannot be used: ${(error as Error).message}.`)
    return schema.description === undefined ? {} : { description: schema.description }
  }
}

function convert(schema: unknown, context: SchemaContext, chain: readonly string[]): JsonSchema {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref === 'string') return convertReference(schema.$ref, schema, context, chain)
  const { budget, notes } = context
  budget.left--
  if (budget.left < 0 || chain.length > MOST_DEPTH) {
    notes.add('The schemas are very large; their deepest parts are left open.')
    return bare(schema)
  }
  const inner = (part: unknown) => convert(part, context, [...chain, ''])
  const own: JsonSchema = {
    ...plainKeywords(schema, context.direction, notes),
    ...described(schema),
    ...convertMembers(schema, context, inner),
  }
  const all = listOf(schema.allOf).map(inner)
  const merged = mergeSchemas([own, ...all]) ?? { ...own, allOf: all }
  const typed = keywordsOfType(withAlternatives(merged, schema, inner), notes)
  return schema.nullable === true ? nullable(typed) : typed
}

function convertReference(
  reference: string,
  schema: Json,
  context: SchemaContext,
  chain: readonly string[],
): JsonSchema {
  const target = follow(context.document, reference)
  if (chain.includes(reference)) {
    const name = reference.split('/').at(-1) ?? reference
    context.notes.add(`${name} contains itself; it is written out once, and left open below that.`)
    return bare(isObject(target) ? target : {})
  }
  const found = convert(target, context, [...chain, reference])
  const { $ref: _, description, ...others } = schema
  const about = described({ description })
  if (Object.keys(others).length === 0) return { ...found, ...about }
  const own = convert({ ...others, nullable: undefined }, context, chain)
  const both = mergeSchemas([own, found]) ?? { allOf: [own, found] }
  return { ...(others.nullable === true ? nullable(both) : both), ...about }
}

const REPLACED_BY: Readonly<Record<string, string>> = {
  additionalProperties: 'patternProperties',
  items: 'prefixItems',
}

function convertMembers(
  schema: Json,
  { direction, document }: SchemaContext,
  inner: (part: unknown) => JsonSchema,
): JsonSchema {
  const result: Record<string, unknown> = {}
  const hidden = direction === 'input' ? 'readOnly' : 'writeOnly'
  const isHidden = (name: string): boolean => {
    const member = isObject(schema.properties) ? schema.properties[name] : undefined
    return isObject(member) && flagOf(document, member, hidden)
  }
  const required = listOf(schema.required).filter(
    (name): name is string => typeof name === 'string' && !isHidden(name),
  )
  if (required.length > 0) result.required = [...new Set(required)]
  if (isObject(schema.properties)) {
    const shown = Object.entries(schema.properties).filter(([name]) => !isHidden(name))
    result.properties = Object.fromEntries(shown.map(([name, part]) => [name, inner(part)]))
  }
  for (const key of ['items', 'additionalProperties', 'not', 'propertyNames', 'contains']) {
    // What says which values these leave over is left out itself.
    if (schema[REPLACED_BY[key] ?? ''] !== undefined) continue
    if (typeof schema[key] === 'boolean') result[key] = schema[key]
    else if (isObject(schema[key])) result[key] = inner(schema[key])
  }
  return result
}

function flagOf(document: Json, member: Json, flag: string): boolean {
  if (typeof member.$ref !== 'string') return member[flag] === true
  const target = follow(document, member.$ref)
  return member[flag] === true || (isObject(target) && target[flag] === true)
}

/** `oneOf` becomes `anyOf`: what documents list as alternatives often overlaps. */
function withAlternatives(
  schema: JsonSchema,
  source: Json,
  inner: (part: unknown) => JsonSchema,
): JsonSchema {
  const parts = [...listOf(source.oneOf), ...listOf(source.anyOf)]
  if (parts.length === 0) return schema
  const all = parts.map(inner)
  const branches = all.filter(({ type, ...others }) => type !== 'null' || !isEmpty(others))
  const isNullable = branches.length < all.length
  const [only] = branches
  if (only && branches.length === 1) {
    const merged = mergeSchemas([schema, only])
    if (merged) return isNullable ? nullable(merged) : merged
  }
  return { ...schema, anyOf: all }
}

/** The same, and null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (isEmpty(schema)) return schema
  const { type } = schema
  if (type === undefined || 'const' in schema || 'anyOf' in schema || 'allOf' in schema) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  const types = [...new Set([...[type].flat(), 'null'])]
  const values = Array.isArray(schema.enum)
    ? { enum: [...new Set([...(schema.enum as unknown[]), null])] }
    : {}
  return { ...schema, type: types, ...values }
}

/** No more of a schema than what kind of value it is. */
function bare(schema: Json): JsonSchema {
  const type =
    typeof schema.type === 'string' ? schema.type : isObject(schema.properties) && 'object'
  if (!type) return {}
  const open = { type, ...described(schema) }
  return schema.nullable === true ? nullable(open) : open
}

function described({ description }: Json): JsonSchema {
  const text = textOf(description)?.replace(/\s+/g, ' ').trim()
  return text === undefined ? {} : { description: shorten(text, LONGEST_DESCRIPTION) }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
