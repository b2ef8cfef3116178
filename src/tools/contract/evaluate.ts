import { compileExpression } from '../../expressions/expression.ts'
import { isObject } from '../../lib/is-object.ts'

export type Scope = Readonly<Record<string, unknown>>

/** What stands for a value that only a call could tell. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/** What a request depends on beside its input; nothing of it is known before a call. */
const ANSWERS = /\b(lookup|body|then|headers|status)\b/

/**
 * Evaluates an expression tree of a card over one scope. Members whose values depend on answers are
 * UNKNOWN, and so are those that are null, which are left out of a request.
 */
export function evaluate(tree: unknown, scope: Scope): unknown {
  if (typeof tree === 'string') return evaluateText(tree, scope)
  if (Array.isArray(tree)) return known(tree.map(item => evaluate(item, scope)))
  if (tree === null || typeof tree !== 'object') return tree ?? UNKNOWN
  return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, evaluate(item, scope)]))
}

function evaluateText(text: string, scope: Scope): unknown {
  // A literal text may speak of a body or a status, as GraphQL documents do.
  const bare = text.replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, '')
  try {
    const value = compileExpression(text)(scope)
    if (!ANSWERS.test(bare)) return marked(value)
    // The names of its members are known all the same.
    return isObject(value) ? mapMembers(value, () => UNKNOWN) : UNKNOWN
  } catch {
    return UNKNOWN
  }
}

function marked(value: unknown): unknown {
  if (value === null || value === undefined) return UNKNOWN
  if (Array.isArray(value)) return known(value.map(marked))
  return isObject(value) ? mapMembers(value, marked) : value
}

function known(items: unknown[]): unknown {
  return items.includes(UNKNOWN) ? UNKNOWN : items
}

function mapMembers(value: Record<string, unknown>, map: (item: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]))
}

/** Without the members that are not known, in depth. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, item]) => item !== UNKNOWN)
  return Object.fromEntries(members.map(([key, item]) => [key, withoutUnknown(item)]))
}
