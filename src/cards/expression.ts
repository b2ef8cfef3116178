import {
  compile,
  getRegisteredFunctions,
  type JSONValue,
  TreeInterpreter,
} from '@jmespath-community/jmespath'
import type { Expression, ExpressionTree } from '../adapter.ts'
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
  for (const name of calledFunctions(node)) {
    if (!functionNames.has(name)) throw new ExpressionError(`calls ${name}(), which does not exist`)
  }
  if (names) checkNames(node, names)
  return scope => {
    try {
      return TreeInterpreter.search(node, scope as JSONValue)
    } catch (error) {
      throw new ExpressionError(`${text}: ${messageOf(error)}`, { cause: error })
    }
  }
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

function* calledFunctions(node: unknown): Generator<string> {
  if (node === null || typeof node !== 'object') return
  if ('type' in node && node.type === 'Function' && 'name' in node) yield String(node.name)
  for (const child of Object.values(node)) yield* calledFunctions(child)
}

/**
 * Finds misspelt names without evaluating: a field looked up at the root must be in scope, and a member
 * of `input` must be in its schema. Only positions where the current node is surely the root are walked.
 */
function checkNames(node: ExpressionNode, names: ExpressionNames): void {
  const visit = (at: ExpressionNode): void => {
    switch (at.type) {
      case 'Field':
        if (!names.roots.includes(at.name)) {
          throw new ExpressionError(
            `reads "${at.name}", but only ${names.roots.join(', ')} are in scope`,
          )
        }
        return
      case 'Subexpression':
        checkMember(at.left, at.right, names)
        return visit(at.left)
      case 'Pipe':
      case 'IndexExpression':
      case 'Projection':
      case 'ValueProjection':
      case 'FilterProjection':
        return visit(at.left)
      case 'Flatten':
      case 'NotExpression':
        return visit(at.child)
      case 'OrExpression':
      case 'AndExpression':
      case 'Comparator':
      case 'Arithmetic':
        visit(at.left)
        return visit(at.right)
      case 'Ternary':
        visit(at.condition)
        visit(at.trueExpr)
        return visit(at.falseExpr)
      case 'MultiSelectHash':
        return at.children.forEach(child => visit(child.value))
      case 'MultiSelectList':
      case 'Function':
        return at.children.forEach(visit)
      case 'LetExpression':
        at.bindings.forEach(binding => visit(binding.reference))
        return visit(at.expression)
      default:
        return
    }
  }
  visit(node)
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
