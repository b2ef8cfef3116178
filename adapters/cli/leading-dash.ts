import { isObject } from '../../src/lib/is-object.ts'
import type { JsonSchema } from '../../src/model/card.ts'

/**
 * Whether no text of the schema can begin with a dash, so that no program can take it for an option. Only what is
 * certain counts: a list of texts, or a pattern whose beginning excludes the dash.
 */
export function forbidsLeadingDash(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { type, enum: values, items, minimum, pattern } = schema as JsonSchema
  if (Array.isArray(values)) return values.every(value => !String(value).startsWith('-'))
  switch (type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof minimum === 'number' && minimum >= 0
    case 'array':
      return forbidsLeadingDash(items)
    case 'string':
      return typeof pattern === 'string' && excludesDash(pattern)
    default:
      return false
  }
}

/** `^`, then one character or class that is there at least once and is no dash, or `(?!-)`. */
const BEGINNING = /^\^(?:\(\?!-\)|(\[(?:\\.|[^\]\\])+\]|\\[wd]|\\[./]|[\w/@%+=])(?![*?]|\{0))/

function excludesDash(pattern: string): boolean {
  const [beginning, first] = BEGINNING.exec(pattern) ?? []
  if (beginning === undefined || hasAlternatives(pattern)) return false
  return first === undefined || !new RegExp(`^${first}$`, 'u').test('-')
}

/** Whether a pattern has `|` outside its groups: the beginning then holds for one alternative only. */
function hasAlternatives(pattern: string): boolean {
  let depth = 0
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (token === '|' && depth === 0) return true
  }
  return false
}
