import { compileExpression } from '../../expressions/expression.ts'
import { isObject } from '../../lib/is-object.ts'

export type Scope = Readonly<Record<string, unknown>>

/** Replaces a value that depends on the upstream's answer to a call. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/** Names in an expression that read an answer, so their values are unknown before the call. */
const ANSWERS = /\b(lookup|body|then|headers|status)\b/

/**
 * Evaluates an expression tree of a card in one scope. Members that depend on answers become UNKNOWN. So
 * do null members, because requests omit them.
 */
export function evaluate(tree: unknown, scope: Scope): unknown {
  if (typeof tree === 'string') return evaluateText(tree, scope)
  if (Array.isArray(tree)) return toKnownList(tree.map(item => evaluate(item, scope)))
  if (!isObject(tree)) return tree ?? UNKNOWN
  return mapMembers(tree, item => evaluate(item, scope))
}

function evaluateText(text: string, scope: Scope): unknown {
  // A string literal may contain these names too, as GraphQL documents do.
  const withoutLiterals = text.replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, '')
  try {
    const value = compileExpression(text)(scope)
    if (!ANSWERS.test(withoutLiterals)) return nullsToUnknown(value)
    // The names of the members are known even if their values are not.
    return isObject(value) ? mapMembers(value, () => UNKNOWN) : UNKNOWN
  } catch {
    return UNKNOWN
  }
}

function nullsToUnknown(value: unknown): unknown {
  if (value === null || value === undefined) return UNKNOWN
  if (Array.isArray(value)) return toKnownList(value.map(nullsToUnknown))
  return isObject(value) ? mapMembers(value, nullsToUnknown) : value
}

function toKnownList(items: unknown[]): unknown {
  return items.includes(UNKNOWN) ? UNKNOWN : items
}

function mapMembers(value: Record<string, unknown>, map: (item: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]))
}

/** Removes UNKNOWN members at every depth. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, item]) => item !== UNKNOWN)
  return Object.fromEntries(members.map(([key, item]) => [key, withoutUnknown(item)]))
}
