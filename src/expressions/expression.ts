import {
  compile,
  getRegisteredFunctions,
  type JSONValue,
  TreeInterpreter,
} from '@jmespath-community/jmespath'
import { messageOf } from '../lib/message-of.ts'
import type { Expression, ExpressionTree } from '../model/expression.ts'
import { registerCardFunctions } from './functions.ts'

type ExpressionNode = ReturnType<typeof compile>

registerCardFunctions()
const functionNames: ReadonlySet<string> = new Set(getRegisteredFunctions())

/** An expression that cannot be compiled, or cannot be evaluated over a value that the card did not foresee. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

export interface ExpressionNames {
  /** The names at the root of the scope; anything else is a misspelling. */
  readonly roots: readonly string[]
  /** Members of `input` when its schema is closed; null when anything may be there. */
  readonly inputs: readonly string[] | null
}

/**
 * Compiles JMESPath once.
 * @throws {ExpressionError} on a syntax error, an unknown function, or a name that is never in scope.
 */
export function compileExpression(text: string, names: ExpressionNames | null = null): Expression {
  let node: ExpressionNode
  try {
    node = compile(text)
  } catch (error) {
    throw new ExpressionError(`does not compile: ${messageOf(error)}`, { cause: error })
  }
  checkNodes(node)
  if (names) checkNames(node, names)
  return scope => {
    try {
      return TreeInterpreter.search(node, scope as JSONValue)
    } catch (error) {
      throw new ExpressionError(`${text}: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** JMESPath's own idea of truth: empty lists, objects and strings are false. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Compiles each string inside `value`; everything else stands for itself. */
export function compileTree(
  value: unknown,
  compileText: (text: string, path: readonly (string | number)[]) => Expression,
  path: readonly (string | number)[] = [],
): ExpressionTree {
  if (typeof value === 'string') return compileText(value, path)
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileTree(item, compileText, [...path, index]))
    return scope => items.map(item => item(scope))
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(
      ([key, member]) => [key, compileTree(member, compileText, [...path, key])] as const,
    )
    return scope => Object.fromEntries(members.map(([key, member]) => [key, member(scope)]))
  }
  return () => value
}

const READING = ['Subexpression', 'Projection', 'ValueProjection', 'FilterProjection']

/** A node, or what it is made of. */
interface Part {
  readonly type?: string
  readonly name?: unknown
  readonly left?: { readonly type?: string }
}

/** Faults that a node has by itself, wherever it stands. In one walk, as a start makes it for each expression. */
function checkNodes(node: unknown): void {
  if (node === null || typeof node !== 'object') return
  const { type = '', name, left } = node as Part
  if (type === 'Function' && !functionNames.has(String(name))) {
    throw new ExpressionError(`calls ${String(name)}(), which does not exist`)
  }
  // `!` binds closer than a dot, in JMESPath: `!a.b` is a member of true or false, so always null.
  if (left?.type === 'NotExpression' && READING.includes(type)) {
    throw new ExpressionError('negates before it reads the member: write !(a.b), not !a.b')
  }
  for (const child of Object.values(node)) checkNodes(child)
}

/**
 * Finds misspelt names without evaluating: a field looked up at the root must be in scope, and a member
 * of `input` must be in its schema. Only positions where the current node is surely the root are walked.
 */
function checkNames(node: ExpressionNode, names: ExpressionNames): void {
  if (node.type === 'Field' && !names.roots.includes(node.name)) {
    throw new ExpressionError(
      `reads "${node.name}", but only ${names.roots.join(', ')} are in scope`,
    )
  }
  if (node.type === 'Subexpression') checkMember(node.left, node.right, names)
  for (const child of childrenAtRoot(node)) checkNames(child, names)
}

/** The parts of a node that are evaluated over the same value as the node itself. */
function childrenAtRoot(node: ExpressionNode): readonly ExpressionNode[] {
  if (node.type === 'LetExpression') {
    return [...node.bindings.map(binding => binding.reference), node.expression]
  }
  if (node.type === 'Ternary') return [node.condition, node.trueExpr, node.falseExpr]
  if (node.type === 'MultiSelectHash') return node.children.map(child => child.value)
  if (node.type === 'MultiSelectList' || node.type === 'Function') return node.children
  if (node.type === 'Flatten' || node.type === 'NotExpression') return [node.child]
  if (node.type === 'OrExpression' || node.type === 'AndExpression') return [node.left, node.right]
  if (node.type === 'Comparator' || node.type === 'Arithmetic') return [node.left, node.right]
  return 'left' in node ? [node.left] : []
}

function checkMember(
  left: ExpressionNode,
  right: ExpressionNode,
  { inputs }: ExpressionNames,
): void {
  if (inputs === null || left.type !== 'Field' || left.name !== 'input' || right.type !== 'Field')
    return
  if (!inputs.includes(right.name)) {
    throw new ExpressionError(
      `reads input.${right.name}, but the input has only ${inputs.join(', ')}`,
    )
  }
}
