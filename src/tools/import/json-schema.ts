import { compileInput, compileOutput } from '../../cards/validate.ts'
import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { describedBy } from './description.ts'
import { keywordsOfType, plainKeywords } from './keywords.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { follow, type Json, listOf } from './references.ts'

/** The conversion of one operation's schemas. */
export interface SchemaContext {
  readonly document: Json
  /** An input omits `readOnly` members, an output `writeOnly` members. */
  readonly direction: 'input' | 'output'
  readonly notes: Set<string>
  /** The number of further parts that the schemas of this operation may have. */
  readonly budget: { left: number }
}

/** Later parts become bare types, because schemas that refer to each other can be endless. */
export const MAX_PARTS = 1500
const MAX_DEPTH = 30

/**
 * Turns a schema of OpenAPI 3.0 or 3.1 into one that cards accept: with references resolved, `nullable` as
 * a type, and no keyword without effect.
 */
export function convertSchema(schema: unknown, context: SchemaContext): JsonSchema {
  return openUnlessUsable(convert(schema, context, []), context)
}

/** Replaces a schema that does not compile with one that allows everything, to keep the operation. */
function openUnlessUsable(schema: JsonSchema, { direction, notes }: SchemaContext): JsonSchema {
  const whole = { type: 'object', properties: { value: schema } }
  try {
    if (direction === 'input') compileInput('import', whole)
    else compileOutput(whole)
    return schema
  } catch (error) {
    notes.add(
      `One schema allows any value, because the original does not compile: ${(error as Error).message}.`,
    )
    return schema.description === undefined ? {} : { description: schema.description }
  }
}

function convert(schema: unknown, context: SchemaContext, chain: readonly string[]): JsonSchema {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref === 'string') return convertReference(schema.$ref, schema, context, chain)
  const { budget, notes } = context
  budget.left--
  if (budget.left < 0 || chain.length > MAX_DEPTH) {
    notes.add('The schemas are very large; their deepest parts allow any value.')
    return bare(schema)
  }
  const inner = (part: unknown) => convert(part, context, [...chain, ''])
  const own: JsonSchema = {
    ...plainKeywords(schema, context.direction, notes),
    ...describedBy(schema.description),
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
    context.notes.add(`${name} contains itself; the inner one allows any members.`)
    return bare(isObject(target) ? target : {})
  }
  const found = convert(target, context, [...chain, reference])
  const { $ref: _, description, ...others } = schema
  const about = describedBy(description)
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
    // The other keyword changes which values this one applies to, and cards do not have it.
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

/** `oneOf` becomes `anyOf`, because the alternatives in documents often overlap. */
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

/** Adds null to the values that a schema allows. */
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

/** Reduces a schema to the type of its value. */
function bare(schema: Json): JsonSchema {
  const type =
    typeof schema.type === 'string' ? schema.type : isObject(schema.properties) && 'object'
  if (!type) return {}
  const open = { type, ...describedBy(schema.description) }
  return schema.nullable === true ? nullable(open) : open
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
