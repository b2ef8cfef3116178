import { Ajv } from 'ajv'
import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { withAlternatives } from './alternatives.ts'
import { describedBy } from './description.ts'
import { keywordsOfType, plainKeywords } from './keywords.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { nullable } from './nullable.ts'
import { follow, type Json, listOf } from './references.ts'
import { type Budget, buildWithin, type Limits } from './schema-budget.ts'

/** The conversion of one operation's schemas. */
export interface SchemaContext {
  readonly document: Json
  /** An input omits `readOnly` members, an output `writeOnly` members. */
  readonly direction: 'input' | 'output'
  readonly notes: Set<string>
  readonly budget: Budget
}

/** The conversion of one schema. */
interface Conversion extends SchemaContext, Limits {
  /** References that led here. */
  readonly chain: readonly string[]
  readonly level: number
  /** The name of this part, for notes. */
  readonly name: string
}

/**
 * Turns a schema of OpenAPI 3.0 or 3.1 into one that cards accept: with references resolved, `nullable` as
 * a type, and no keyword without effect. Leaves the deepest parts open if the whole does not fit.
 */
export function convertSchema(schema: unknown, context: SchemaContext): JsonSchema {
  // Each try collects its own notes; the last is the one that fits.
  let notes = new Set<string>()
  const built = buildWithin(context.budget, context.notes, limits => {
    notes = new Set<string>()
    return convert(schema, { ...context, ...limits, notes, chain: [], level: 0, name: 'value' })
  })
  for (const note of notes) context.notes.add(note)
  return openUnlessUsable(built, context.notes)
}

const ajv = new Ajv()

/**
 * Replaces a schema with one that allows everything if a keyword has a value that JSON Schema does not allow, such as
 * a negative length, to keep the operation.
 */
function openUnlessUsable(schema: JsonSchema, notes: Set<string>): JsonSchema {
  const reason = faultOf(schema)
  if (reason === null) return schema
  notes.add(`One schema allows any value, because the original is not valid: ${reason}.`)
  return schema.description === undefined ? {} : { description: schema.description }
}

function faultOf(schema: JsonSchema): string | null {
  try {
    if (ajv.validateSchema(schema) === true) return null
    return ajv.errorsText(ajv.errors, { dataVar: 'it' })
  } catch (error) {
    // Ajv stumbles over a value with a member "valueOf".
    return (error as Error).message
  }
}

function convert(schema: unknown, at: Conversion): JsonSchema {
  return withRequiredMembers(keywordsOfType(convertParts(schema, at), at.notes))
}

/** No value fits a closed object that requires a member which it does not describe. Allows any value there. */
function withRequiredMembers(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false || !isObject(schema.properties)) return schema
  const { properties } = schema
  const missing = listOf(schema.required).filter(name => !Object.hasOwn(properties, String(name)))
  if (missing.length === 0) return schema
  const members = Object.fromEntries(missing.map(name => [String(name), {}]))
  return { ...schema, properties: { ...properties, ...members } }
}

/** Converts a schema that others may be merged with, so that keywords may still lack their type. */
function convertParts(schema: unknown, at: Conversion): JsonSchema {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref === 'string') return convertReference(schema.$ref, schema, at)
  const { direction, notes } = at
  at.spend()
  const own: JsonSchema = {
    ...plainKeywords(schema, direction, notes),
    ...describedBy(schema.description),
    ...convertMembers(schema, at),
  }
  const all = listOf(schema.allOf).map(part => convertParts(part, at))
  const merged = mergeSchemas([own, ...all]) ?? {
    ...own,
    allOf: all.map(part => keywordsOfType(inheritType(part, own), notes)),
  }
  const typed = withAlternatives(merged, schema, at, part =>
    keywordsOfType(inheritType(convertParts(part, at), merged), notes),
  )
  return schema.nullable === true ? nullable(keywordsOfType(typed, notes)) : typed
}

/** An alternative may leave its type to the schema around it. */
function inheritType(part: JsonSchema, { type }: JsonSchema): JsonSchema {
  return part.type === undefined && type !== undefined && !('$ref' in part)
    ? { type, ...part }
    : part
}

function convertReference(reference: string, schema: Json, at: Conversion): JsonSchema {
  const target = follow(at.document, reference)
  const name = reference.split('/').at(-1) ?? reference
  const { $ref: _, description, ...others } = schema
  if (at.chain.includes(reference)) {
    at.notes.add(`${name} contains itself; the inner one allows any members.`)
    return bare(isObject(target) ? target : {})
  }
  const found = convertParts(target, { ...at, name, chain: [...at.chain, reference] })
  const about = describedBy(description)
  if (Object.keys(others).length === 0) return { ...found, ...about }
  const own = convertParts({ ...others, nullable: undefined }, at)
  // A keyword beside the reference that its type does not know has no effect.
  const both = mergeSchemas([own, found]) ?? {
    allOf: [own, found].map(part => keywordsOfType(part, at.notes)),
  }
  return {
    ...(others.nullable === true ? nullable(keywordsOfType(both, at.notes)) : both),
    ...about,
  }
}

const REPLACED_BY: Readonly<Record<string, string>> = {
  additionalProperties: 'patternProperties',
  items: 'prefixItems',
}

function convertMembers(schema: Json, at: Conversion): JsonSchema {
  const { direction, document } = at
  const hidden = direction === 'input' ? 'readOnly' : 'writeOnly'
  const isHidden = (name: string): boolean => {
    const member = isObject(schema.properties) ? schema.properties[name] : undefined
    return isObject(member) && flagOf(document, member, hidden)
  }
  const required = listOf(schema.required).filter(
    (name): name is string => typeof name === 'string' && !isHidden(name),
  )
  const result: Record<string, unknown> =
    required.length > 0 ? { required: [...new Set(required)] } : {}
  if (!isObject(schema.properties)) return { ...result, ...convertOthers(schema, at) }
  if (at.level >= at.depth) {
    at.leaveOpen(at.name)
    return { ...result, ...convertOthers(schema, at), additionalProperties: true }
  }
  const shown = Object.entries(schema.properties).filter(([name]) => !isHidden(name))
  result.properties = Object.fromEntries(
    shown.map(([name, part]) => {
      const own = convertInner(part, name, at)
      // Services often answer null where the document only says that a member may be absent.
      return [name, direction === 'output' && !required.includes(name) ? nullable(own) : own]
    }),
  )
  return { ...result, ...convertOthers(schema, at) }
}

function convertInner(part: unknown, name: string, at: Conversion): JsonSchema {
  return convert(part, { ...at, name, level: at.level + 1 })
}

function convertOthers(schema: Json, at: Conversion): JsonSchema {
  const result: Record<string, unknown> = {}
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'contains']) {
    // The other keyword changes which values this one applies to, and cards do not have it.
    if (schema[REPLACED_BY[key] ?? ''] !== undefined) continue
    if (typeof schema[key] === 'boolean') result[key] = schema[key]
    else if (isObject(schema[key])) result[key] = convertInner(schema[key], at.name, at)
  }
  return isObject(schema.not) ? { ...result, ...convertNot(schema.not, at) } : result
}

/** A part that loses a keyword allows more values, and its opposite would then forbid more than it should. */
function convertNot(not: Json, at: Conversion): JsonSchema {
  const notes = new Set<string>()
  const converted = convert(not, { ...at, notes, level: at.level + 1 })
  const isWhole = notes.size === 0 && at.direction === 'input' && at.level < at.depth
  return isWhole && !isEmpty(converted) ? { not: converted } : {}
}

function flagOf(document: Json, member: Json, flag: string): boolean {
  if (typeof member.$ref !== 'string') return member[flag] === true
  const target = follow(document, member.$ref)
  return member[flag] === true || (isObject(target) && target[flag] === true)
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
