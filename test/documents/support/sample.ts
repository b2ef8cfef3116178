import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { isObject } from '../../../src/lib/is-object.ts'
import type { JsonSchema } from '../../../src/model/card.ts'

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)

/** Texts for formats and patterns; a member gets the first that fits. */
const TEXTS = [
  'text',
  'a',
  '1',
  'ab12',
  'A1B2C3D4',
  '2026-01-02T03:04:05Z',
  '2026-01-02',
  '03:04:05Z',
  'https://example.com/a',
  'a@example.com',
  '5d2f3d2e-9c0f-4a55-9d7e-0a6a2f5f6b11',
  '127.0.0.1',
  'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
  '0'.repeat(24),
  '1.0.0',
  '#aabbcc',
  'aGVsbG8=',
  '+15551234567',
  'USD',
  'a'.repeat(40),
]
const MAX_DEPTH = 6

/** A value that fits the schema; undefined if none is found. */
export function sample(schema: JsonSchema, isFull: boolean, depth = 0): unknown {
  const value = propose(schema, isFull, depth)
  return value !== undefined && fits(schema, value) ? value : undefined
}

function fits(schema: JsonSchema, value: unknown): boolean {
  try {
    return ajv.validate(schema, value)
  } catch {
    return false
  }
}

function propose(schema: JsonSchema, isFull: boolean, depth: number): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.find(value => value !== null)
  const parts = [schema.oneOf, schema.anyOf].find(Array.isArray) as JsonSchema[] | undefined
  if (parts) return proposeUnion(schema, parts, isFull, depth)
  const type = [schema.type].flat().find(one => one !== 'null')
  switch (type) {
    case 'object':
      return proposeObject(schema, isFull, depth)
    case 'array':
      return proposeList(schema, isFull, depth)
    case 'integer':
    case 'number':
      return proposeNumber(schema)
    case 'boolean':
      return true
    default:
      return [schema.example, ...TEXTS, ...textsFor(schema.pattern)].find(
        text => text !== undefined && fits(schema, text),
      )
  }
}

/** Twilio's identifiers: two letters and 32 digits. */
function textsFor(pattern: unknown): string[] {
  const [, prefix] = /^\^([A-Z]{2})\[0-9a-fA-F\]\{32\}\$$/.exec(String(pattern)) ?? []
  return prefix === undefined ? [] : [prefix + '0'.repeat(32)]
}

function proposeUnion(schema: JsonSchema, parts: JsonSchema[], isFull: boolean, depth: number) {
  const { oneOf: _, anyOf: __, ...own } = schema
  for (const part of parts) {
    const inner = sample(part, isFull, depth + 1)
    const whole = isObject(inner) && own.properties ? propose({ ...own }, isFull, depth + 1) : {}
    const value = isObject(inner) ? { ...(whole as object), ...inner } : inner
    if (value !== undefined && value !== null && fits(schema, value)) return value
  }
  return undefined
}

function proposeObject(
  { properties = {}, required = [] }: JsonSchema,
  isFull: boolean,
  depth: number,
) {
  const needed = required as readonly string[]
  const members = Object.entries(properties as Record<string, JsonSchema>).flatMap(
    ([name, part]) => {
      if (!needed.includes(name) && (!isFull || depth > MAX_DEPTH)) return []
      const value = sample(part, isFull && depth < MAX_DEPTH, depth + 1)
      return value === undefined ? [] : [[name, value] as const]
    },
  )
  return Object.fromEntries(members)
}

function proposeList({ items, minItems = 1 }: JsonSchema, isFull: boolean, depth: number) {
  const item = isObject(items) ? sample(items as JsonSchema, isFull, depth + 1) : 'text'
  const count = Math.max(1, Number(minItems))
  return item === undefined ? [] : Array.from({ length: count }, () => item)
}

function proposeNumber(schema: JsonSchema): number | undefined {
  const { minimum, exclusiveMinimum, maximum } = schema
  const candidates = [schema.example, minimum, Number(exclusiveMinimum) + 1, 1, 10, maximum, 100]
  return candidates.find((value): value is number => Number.isFinite(value) && fits(schema, value))
}
