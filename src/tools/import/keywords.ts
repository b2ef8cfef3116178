import type { JsonSchema } from '../../model/card.ts'
import { type Json, listOf, textOf } from './references.ts'

/** Keywords that apply to one type of value only, and have no effect on other types. */
const TYPE_OF: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  items: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

const IMPLIES_OBJECT = ['properties', 'required', 'additionalProperties']

const LIMITS = Object.keys(TYPE_OF).filter(key =>
  /^(m(in|ax)|exclusive|multiple|pattern|uniq)/.test(key),
)
/** Keywords to keep, apart from those with schemas in them. Answers are checked for shape, not for limits. */
const KEPT = {
  input: ['type', 'enum', 'const', 'example', 'format', 'deprecated', ...LIMITS],
  output: ['type', 'enum', 'const'],
} as const

/** Formats that restrict a text. Others, such as int32, only name a representation. */
const FORMATS =
  /^(date|time|date-time|duration|uri|uri-reference|uri-template|email|hostname|ipv4|ipv6|regex|uuid|json-pointer)$/

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** Keywords that restrict no values, or that the conversion handles elsewhere. Dropping them needs no note. */
const HARMLESS =
  /^(x-.*|\$(schema|id|comment|anchor|defs)|definitions|title|description|default|examples?|deprecated|readOnly|writeOnly|discriminator|xml|externalDocs|format|nullable|content(Encoding|MediaType|Schema)|(one|any|all)Of|items|not|contains|propertyNames|properties|required|additionalProperties|type|enum|const)$/

/** Reads the value of a keyword. Returns undefined if Signalbox cannot check it. */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: readType,
  enum: value => (listOf(value).length > 0 ? [...new Set(listOf(value))] : undefined),
  const: value => value,
  deprecated: value => value === true || undefined,
  example: value => (typeof value === 'object' ? undefined : value),
  format: value => (FORMATS.test(textOf(value) ?? '') ? value : undefined),
  pattern: value => (isUsablePattern(value) ? value : undefined),
}

/** Returns the keywords that a card can keep unchanged. Notes those that it drops. */
export function plainKeywords(
  schema: Json,
  direction: 'input' | 'output',
  notes: Set<string>,
): JsonSchema {
  const result: Record<string, unknown> = {}
  for (const key of KEPT[direction]) {
    const value = (READERS[key] ?? readLimit)(schema[key])
    if (value !== undefined) result[key] = value
  }
  noteDropped(schema, notes)
  if (direction === 'input' && schema.pattern !== undefined && result.pattern === undefined) {
    const pattern = JSON.stringify(schema.pattern)
    notes.add(`A schema lacks the pattern ${pattern}, which is not valid in JavaScript.`)
  }
  // The values of an enum need no check of their format.
  if (result.enum !== undefined) delete result.format
  return withNumericBounds(result)
}

function noteDropped(schema: Json, notes: Set<string>): void {
  for (const key of Object.keys(schema)) {
    if (HARMLESS.test(key) || LIMITS.includes(key)) continue
    notes.add(`A schema lacks the keyword ${JSON.stringify(key)}, which cards do not have.`)
  }
}

function readType(value: unknown): unknown {
  const types = [value].flat().filter(type => typeof type === 'string' && TYPES.includes(type))
  return types.length > 1 ? types : types[0]
}

function readLimit(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/** In OpenAPI 3.0 `exclusiveMinimum` is a flag beside `minimum`. */
function withNumericBounds(schema: Record<string, unknown>): JsonSchema {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue
    const isExclusive = schema[flag] && schema[bound] !== undefined
    if (isExclusive) schema[flag] = schema[bound]
    else delete schema[flag]
    if (isExclusive) delete schema[bound]
  }
  return schema
}

function isUsablePattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}

/**
 * Drops the keywords that have no effect on values of the schema's type. Without a type, the keywords of objects
 * imply one; other keywords do not, because services then send other types too.
 */
export function keywordsOfType(schema: JsonSchema, notes: Set<string>): JsonSchema {
  const present = Object.keys(schema).filter(key => TYPE_OF[key] !== undefined)
  if (present.length === 0) return schema
  const isObjectSchema = present.some(key => IMPLIES_OBJECT.includes(key))
  if (schema.type === undefined && !isObjectSchema)
    return withoutKeys(schema, present, 'without a type', notes)
  const whole = schema.type === undefined ? { type: 'object', ...schema } : schema
  const types = [whole.type as string | string[]]
    .flat()
    .map(type => (type === 'integer' ? 'number' : type))
  const foreign = present.filter(key => !types.includes(TYPE_OF[key] ?? ''))
  return withoutKeys(whole, foreign, `of type ${types.join(' or ')}`, notes)
}

function withoutKeys(
  schema: JsonSchema,
  keys: readonly string[],
  whose: string,
  notes: Set<string>,
): JsonSchema {
  for (const key of keys) {
    notes.add(`A schema ${whose} lacks the keyword ${key}, which would have no effect.`)
  }
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))
}
