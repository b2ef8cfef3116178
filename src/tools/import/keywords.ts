import type { JsonSchema } from '../../model/card.ts'
import { type Json, listOf, textOf } from './references.ts'

/** Keywords that only mean something of one type of value; elsewhere they would have no effect. */
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

/** Keywords whose value is no schema. Of an answer only its shape is checked, and not the limits of its values. */
const LIMITS = Object.keys(TYPE_OF).filter(key =>
  /^(m(in|ax)|exclusive|multiple|pattern|uniq)/.test(key),
)
const KEPT = {
  input: ['type', 'enum', 'const', 'example', 'format', ...LIMITS],
  output: ['type', 'enum', 'const'],
} as const

/** Formats that say something of a text; others, such as int32, only name a representation. */
const FORMATS =
  /^(date|time|date-time|duration|uri|uri-reference|uri-template|email|hostname|ipv4|ipv6|regex|uuid|json-pointer)$/

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** These say nothing of which values there are, or are dealt with elsewhere. */
const HARMLESS =
  /^(x-.*|\$(schema|id|comment|anchor|defs)|definitions|title|description|default|examples?|deprecated|readOnly|writeOnly|discriminator|xml|externalDocs|format|nullable|content(Encoding|MediaType|Schema)|(one|any|all)Of|items|not|contains|propertyNames|properties|required|additionalProperties|type|enum|const)$/

/** What a keyword says; undefined when it says nothing that could be checked. */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: readType,
  enum: value => (listOf(value).length > 0 ? [...new Set(listOf(value))] : undefined),
  const: value => value,
  example: value => (typeof value === 'object' ? undefined : value),
  format: value => (FORMATS.test(textOf(value) ?? '') ? value : undefined),
  pattern: value => (isUsablePattern(value) ? value : undefined),
}

/** The keywords of a schema that can be taken as they are. Those that cannot are told. */
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
  for (const key of Object.keys(schema)) {
    if (!HARMLESS.test(key) && !LIMITS.includes(key)) {
      notes.add(`The keyword ${JSON.stringify(key)} of a schema was left out.`)
    }
  }
  if (direction === 'input' && schema.pattern !== undefined && result.pattern === undefined) {
    notes.add(`The pattern ${JSON.stringify(schema.pattern)} was left out: not JavaScript's.`)
  }
  // The values say all; a format beside them would only be checked in vain.
  if (result.enum !== undefined) delete result.format
  return withNumericBounds(result)
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

/** Adds the type that the keywords imply, and drops those that do not belong to the one there is. */
export function keywordsOfType(schema: JsonSchema, notes: Set<string>): JsonSchema {
  const implied = new Set(Object.keys(schema).flatMap(key => TYPE_OF[key] ?? []))
  if (implied.size === 0) return schema
  if (schema.type === undefined) {
    const [only] = implied
    return implied.size === 1 ? { type: only, ...schema } : schema
  }
  const types = [schema.type as string | string[]]
    .flat()
    .map(type => (type === 'integer' ? 'number' : type))
  const isOff = (key: string) => TYPE_OF[key] !== undefined && !types.includes(TYPE_OF[key])
  for (const key of Object.keys(schema).filter(isOff)) {
    notes.add(
      `${key} was left out of a schema of type ${types.join(' or ')}, where it has no effect.`,
    )
  }
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isOff(key)))
}
