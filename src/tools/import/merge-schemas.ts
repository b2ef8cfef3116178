import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../../model/card.ts'

/** Merges schemas into one that demands what all of them demand; null if that is impossible. */
export function mergeSchemas(parts: readonly JsonSchema[]): JsonSchema | null {
  return parts.reduce<JsonSchema | null>((merged, part) => merged && mergeTwo(merged, part), {})
}

type Merge = (a: unknown, b: unknown) => unknown

/** How to merge two values of a keyword. A merge returns undefined if the values exclude each other. */
const MERGES: Readonly<Record<string, Merge>> = {
  properties: mergeProperties,
  required: (a, b) => [...new Set([...(a as string[]), ...(b as string[])])],
  type: mergeTypes,
  enum: (a, b) => nonEmpty((a as unknown[]).filter(value => (b as unknown[]).includes(value))),
  description: a => a,
  title: a => a,
  example: a => a,
  deprecated: a => a,
  items: (a, b) => mergeTwo(a as JsonSchema, b as JsonSchema) ?? undefined,
  minimum: (a, b) => Math.max(Number(a), Number(b)),
  minLength: (a, b) => Math.max(Number(a), Number(b)),
  maximum: (a, b) => Math.min(Number(a), Number(b)),
  maxLength: (a, b) => Math.min(Number(a), Number(b)),
  minItems: (a, b) => Math.max(Number(a), Number(b)),
  maxItems: (a, b) => Math.min(Number(a), Number(b)),
}

function mergeTwo(a: JsonSchema, b: JsonSchema): JsonSchema | null {
  const merged: Record<string, unknown> = { ...a, ...b }
  for (const key of Object.keys(a)) {
    if (!Object.hasOwn(b, key) || isDeepStrictEqual(a[key], b[key])) continue
    const value = MERGES[key]?.(a[key], b[key])
    if (value === undefined && key !== 'additionalProperties') return null
    merged[key] = value
  }
  // A part that allows no other members would forbid those of the other part, which no author means.
  if (isOpenedBy(a, b) || isOpenedBy(b, a) || merged.additionalProperties === undefined) {
    delete merged.additionalProperties
  }
  return merged
}

function isOpenedBy(closed: JsonSchema, other: JsonSchema): boolean {
  return closed.additionalProperties === false && other.properties !== undefined
}

function mergeProperties(a: unknown, b: unknown): unknown {
  const merged = { ...(a as Record<string, JsonSchema>) }
  for (const [name, schema] of Object.entries(b as Record<string, JsonSchema>)) {
    const own = Object.hasOwn(merged, name) ? merged[name] : undefined
    merged[name] = own ? (mergeTwo(own, schema) ?? bothOf(own, schema)) : schema
  }
  return merged
}

/** A member of two types that exclude each other may have either: one part corrects the other. */
function bothOf(a: JsonSchema, b: JsonSchema): JsonSchema {
  const isContradiction =
    a.type !== undefined && b.type !== undefined && mergeTypes(a.type, b.type) === undefined
  return isContradiction ? { anyOf: [a, b] } : { allOf: [a, b] }
}

function mergeTypes(a: unknown, b: unknown): unknown {
  const [left, right] = [[a].flat(), [b].flat()]
  const common = left.filter(type => right.includes(type))
  if (common.length === 0 && [...left, ...right].every(isNumeric)) return 'integer'
  return common.length === 1 ? common[0] : nonEmpty(common)
}

function isNumeric(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}

function nonEmpty(values: readonly unknown[]): unknown {
  return values.length > 0 ? values : undefined
}
