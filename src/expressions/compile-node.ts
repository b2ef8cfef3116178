import { type compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { isTruthy } from './truth.ts'

export type ExpressionNode = ReturnType<typeof compile>

type Evaluate = (value: JSONValue) => JSONValue

/**
 * Compiles the nodes that make up nearly all results: members, objects and lists of them. They need a quarter of the
 * interpreter's time, and do exactly what it does. It evaluates all other nodes itself.
 */
export function compileNode(node: ExpressionNode): Evaluate {
  return looksOutside(node) ? interpreted(node) : build(node)
}

function interpreted(node: ExpressionNode): Evaluate {
  return value => TreeInterpreter.search(node, value)
}

const OUTSIDE = ['Root', 'Variable', 'LetExpression']

/** Whether a part of a node depends on more than the value that it is evaluated over. */
function looksOutside(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false
  return (
    OUTSIDE.includes(String((node as { type?: unknown }).type)) ||
    Object.values(node).some(looksOutside)
  )
}

function build(node: ExpressionNode): Evaluate {
  switch (node.type) {
    case 'Identity':
    case 'Current':
      return value => value
    case 'Literal':
      return () => node.value
    case 'Field':
      return value => memberOf(value, node.name)
    case 'MultiSelectHash':
      return objectOf(node.children.map(({ name, value }) => [name, build(value)] as const))
    case 'Projection':
      return isSlice(node.left) ? interpreted(node) : listOf(build(node.left), build(node.right))
    case 'FilterProjection':
      return listOf(build(node.left), build(node.right), build(node.condition))
    case 'Comparator':
      return comparison(node)
    default:
      return buildChain(node)
  }
}

/** Nodes that evaluate one part over the value of another. */
function buildChain(node: ExpressionNode): Evaluate {
  switch (node.type) {
    case 'Subexpression':
      return chain(node, (result, right) =>
        result === null || result === undefined ? null : (right(result) ?? null),
      )
    case 'Pipe':
      return chain(node, (result, right) => right(result))
    case 'OrExpression':
      return chain(node, (result, right, value) => (isTruthy(result) ? result : right(value)))
    case 'AndExpression':
      return chain(node, (result, right, value) => (isTruthy(result) ? right(value) : result))
    case 'Flatten': {
      const child = build(node.child)
      return value => flat(child(value))
    }
    default:
      return buildTest(node)
  }
}

/** Conditions, and calls of functions. */
function buildTest(node: ExpressionNode): Evaluate {
  switch (node.type) {
    case 'NotExpression': {
      const child = build(node.child)
      return value => !isTruthy(child(value))
    }
    case 'Ternary': {
      const test = build(node.condition)
      const [whenTrue, whenFalse] = [build(node.trueExpr), build(node.falseExpr)]
      return value => (isTruthy(test(value)) ? whenTrue(value) : whenFalse(value))
    }
    case 'Function':
      return called(node.name, node.children)
    default:
      return interpreted(node)
  }
}

/** The interpreter's own functions, over compiled arguments. Those that take an expression evaluate it by the interpreter. */
function called(name: string, children: readonly ExpressionNode[]): Evaluate {
  const node = { type: 'Function', name, children } as ExpressionNode
  if (children.some(({ type }) => type === 'ExpressionReference')) return interpreted(node)
  const args = children.map(build)
  return value =>
    TreeInterpreter.runtime.callFunction(
      name,
      args.map(arg => arg(value)),
    )
}

function chain(
  { left, right }: { readonly left: ExpressionNode; readonly right: ExpressionNode },
  join: (result: JSONValue, right: Evaluate, value: JSONValue) => JSONValue,
): Evaluate {
  const first = build(left)
  const second = build(right)
  return value => join(first(value), second, value)
}

function flat(list: JSONValue): JSONValue {
  return Array.isArray(list) ? list.flat() : null
}

/** The slice of a text is a text, and no list. */
function isSlice(node: ExpressionNode): boolean {
  return node.type === 'IndexExpression' && node.right.type === 'Slice'
}

type Comparator = Extract<ExpressionNode, { readonly type: 'Comparator' }>

/** Compiles the comparison with a text, a number, a boolean or null. */
function comparison(node: Comparator): Evaluate {
  const { name, left, right } = node
  if (right.type !== 'Literal' || (name !== 'EQ' && name !== 'NE')) return interpreted(node)
  const { value: scalar } = right
  if (typeof scalar === 'object' && scalar !== null) return interpreted(node)
  const operand = build(left)
  const whenEqual = name === 'EQ'
  return value => (operand(value) === scalar) === whenEqual
}

function memberOf(value: JSONValue, name: string): JSONValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  return value[name] ?? null
}

function objectOf(members: readonly (readonly [string, Evaluate])[]): Evaluate {
  return value => {
    const object: Record<string, JSONValue> = {}
    for (const [name, member] of members) object[name] = member(value)
    return object
  }
}

/** @param condition chooses the items. @default all */
function listOf(items: Evaluate, item: Evaluate, condition: Evaluate | null = null): Evaluate {
  return value => {
    const list = items(value)
    if (!Array.isArray(list)) return null
    const results: JSONValue[] = []
    for (const one of list) {
      if (condition !== null && !isTruthy(condition(one))) continue
      const result = item(one)
      if (result !== null) results.push(result)
    }
    return results
  }
}
