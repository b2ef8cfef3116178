import { memberSchema, type SchemaAt } from '../../cards/schema-path.ts'
import { isRawNumber } from '../../lib/exact-json.ts'
import { shorten } from '../../lib/text.ts'
import type { JsonSchema } from '../../model/card.ts'

/** Texts up to this length stay whole: names, ids, and texts whose cut would save less than its note takes. */
export const SHORTEST_CUT = 40

/** Keywords that prescribe the form of a text: a shortened one would break it. */
const FORMED = ['format', 'pattern', 'enum', 'const', 'contentEncoding', 'contentMediaType']

/** Path (`*` for every item of a list) → number of characters cut. */
export type TextCuts = Map<string, number>

/** A copy in which texts are cut to `longest` characters, where their schema allows it. */
export function shortenTexts(
  value: unknown,
  schema: SchemaAt,
  longest: number,
  cuts: TextCuts,
  path = '',
): unknown {
  if (typeof value === 'string') {
    if (value.length <= longest || !mayBeCut(schema)) return value
    const short = shorten(value, longest)
    cuts.set(path, (cuts.get(path) ?? 0) + Math.max(1, value.length - short.length))
    return short
  }
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value
  if (Array.isArray(value)) {
    const item = itemsOf(schema)
    return value.map(member => shortenTexts(member, item, longest, cuts, join(path, '*')))
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      shortenTexts(member, memberOf(schema, key), longest, cuts, join(path, key)),
    ]),
  )
}

/** The length of the longest text that its schema allows to cut. */
export function longestText(value: unknown, schema: SchemaAt): number {
  if (typeof value === 'string') return mayBeCut(schema) ? value.length : 0
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return 0
  const lengths = Array.isArray(value)
    ? value.map(item => longestText(item, itemsOf(schema)))
    : Object.entries(value).map(([key, item]) => longestText(item, memberOf(schema, key)))
  return lengths.reduce((longest, length) => Math.max(longest, length), 0)
}

/**
 * The characters that the JSON of a value has at least, however much its texts are cut. Null and empty members count
 * nothing, because dialects may leave them out.
 * @param most the size at which counting stops
 */
export function leastSize(value: unknown, most: number): number {
  if (typeof value === 'string') return Math.min(value.length, SHORTEST_CUT)
  if (value === null) return 0
  if (typeof value !== 'object' || isRawNumber(value)) return 1
  const members = value as Readonly<Record<string, unknown>>
  const isList = Array.isArray(value)
  let size = 0
  for (const name in members) {
    if (size > most) break
    const own = leastSize(members[name], most - size)
    if (own > 0) size += own + (isList ? 1 : name.length)
  }
  return size
}

function mayBeCut(schema: SchemaAt): boolean {
  return typeof schema === 'string' || !FORMED.some(keyword => keyword in schema)
}

function itemsOf(schema: SchemaAt): SchemaAt {
  if (typeof schema === 'string') return schema
  return (schema.items as JsonSchema | undefined) ?? 'any'
}

function memberOf(schema: SchemaAt, key: string): SchemaAt {
  if (typeof schema === 'string') return schema
  return memberSchema(schema, key)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
