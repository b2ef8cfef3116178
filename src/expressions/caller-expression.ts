import { compile, type JSONValue } from '@jmespath-community/jmespath'
import { messageOf } from '../lib/message-of.ts'
import { compileNode, type ExpressionNode } from './compile-node.ts'
import { ExpressionError } from './expression.ts'

/** The longest expression that a caller may send. */
export const MAX_CALLER_EXPRESSION = 500

/** Pure functions whose result is no larger than their arguments, or nearly so. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'contains',
  'ends_with',
  'join',
  'keys',
  'length',
  'max_by',
  'min_by',
  'not_null',
  'reverse',
  'sort',
  'sort_by',
  'starts_with',
  'to_array',
  'to_number',
  'to_string',
  'type',
  'values',
])

/** Nodes that see more than the value that they are evaluated over. */
const REFUSED: ReadonlySet<string> = new Set(['Root', 'Variable', 'LetExpression', 'Arithmetic'])

/**
 * The most nodes of each kind. No expression reads the whole value again from inside, so its cost is the size of the
 * value times these numbers: a list or object that repeats parts of the value multiplies it, as a function may.
 */
const MOST: Readonly<Record<string, number>> = {
  Function: 4,
  MultiSelectList: 2,
  MultiSelectHash: 2,
  members: 20,
  nodes: 100,
}

interface Part {
  readonly type?: string
  readonly name?: unknown
  readonly children?: readonly unknown[]
}

/**
 * Compiles an expression that a caller sent. It evaluates JMESPath over the value alone, cannot read what objects
 * inherit, and costs little.
 * @throws {ExpressionError} for an expression that does not compile, or that the gateway does not evaluate for callers.
 */
export function compileCallerExpression(text: string): (value: unknown) => unknown {
  if (text.length > MAX_CALLER_EXPRESSION) {
    throw new ExpressionError(`is longer than ${MAX_CALLER_EXPRESSION} characters`)
  }
  let node: ExpressionNode
  try {
    node = compile(text)
  } catch (error) {
    throw new ExpressionError(`does not compile: ${messageOf(error)}`, { cause: error })
  }
  checkPart(node, new Map())
  const evaluate = compileNode(node)
  return value => {
    try {
      return evaluate(value as JSONValue) ?? null
    } catch (error) {
      throw new ExpressionError(messageOf(error), { cause: error })
    }
  }
}

function checkPart(part: unknown, counts: Map<string, number>): void {
  if (part === null || typeof part !== 'object') return
  const { type, name, children = [] } = part as Part
  if (type === 'Literal') return
  if (type !== undefined) checkNode(type, name)
  count(counts, 'nodes', 1)
  if (type !== undefined) count(counts, type, 1)
  if (type?.startsWith('MultiSelect')) count(counts, 'members', children.length)
  for (const child of Object.values(part)) checkPart(child, counts)
}

function checkNode(type: string, name: unknown): void {
  if (REFUSED.has(type)) {
    throw new ExpressionError('may not use $, variables, let or arithmetic in a batch')
  }
  if (type === 'Function' && !FUNCTIONS.has(String(name))) {
    throw new ExpressionError(
      `may not call ${String(name)}() in a batch; it may call ${[...FUNCTIONS].join(', ')}`,
    )
  }
  // Also as the key of a new object: the next step of the expression would read it there.
  if ((type === 'Field' || type === 'KeyValuePair') && String(name) in Object.prototype) {
    throw new ExpressionError(`may not read ${String(name)}, which every object has`)
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  const counted = (counts.get(name) ?? 0) + by
  counts.set(name, counted)
  if (counted > (MOST[name] ?? Number.POSITIVE_INFINITY)) {
    throw new ExpressionError('is too large for a batch')
  }
}
