import { compile, getRegisteredFunctions, type JSONValue } from '@jmespath-community/jmespath'
import { isObject } from '../lib/is-object.ts'
import { messageOf } from '../lib/message-of.ts'
import type { Expression, ExpressionTree } from '../model/expression.ts'
import { compileNode, type ExpressionNode } from './compile-node.ts'
import { registerCardFunctions } from './functions.ts'
import { cureOf, cureOfName } from './habits.ts'
import { uriFault } from './uri.ts'

registerCardFunctions()
const functionNames: ReadonlySet<string> = new Set(getRegisteredFunctions())

/** An expression that does not compile, or that fails on a value that the card did not expect. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** How to correct the expression; null without a known cause. */
  readonly cure: string | null

  constructor(
    message: string,
    { cause, cure = null }: { cause?: unknown; cure?: string | null } = {},
  ) {
    super(message, { cause })
    this.cure = cure
  }
}

export interface ExpressionNames {
  /** The names at the root of the scope. Any other name is a misspelling. */
  readonly roots: readonly string[]
  /** Members of `input`; null when it may have others. */
  readonly inputs: readonly string[] | null
  /** Members of `constants`. @default none */
  readonly constants?: readonly string[]
  /** Members of `lookup`: those that have run by then. @default any */
  readonly lookups?: readonly string[]
  /** Members of `then`. @default any */
  readonly steps?: readonly string[]
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
    const message = `does not compile: ${messageOf(error)}`
    throw new ExpressionError(message, { cause: error, cure: cureOf(text) })
  }
  checkNodes(node)
  if (names) checkNames(node, names)
  let evaluate: ReturnType<typeof compileNode> | null = null
  return scope => {
    try {
      // A process uses few expressions of a thousand cards.
      evaluate ??= compileNode(node)
      return evaluate(scope as JSONValue)
    } catch (error) {
      throw new ExpressionError(`${text}: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** Compiles each string in `value`. Other values evaluate to themselves. */
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
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => [key, compileTree(member, compileText, [...path, key])] as const,
    )
    return scope => Object.fromEntries(members.map(([key, member]) => [key, member(scope)]))
  }
  return () => value
}

const READING = ['Subexpression', 'Projection', 'ValueProjection', 'FilterProjection']

/** A node or a part of one, as far as the checks read it. */
interface Part {
  readonly type?: string
  readonly name?: unknown
  readonly left?: { readonly type?: string }
}

function checkFunction(node: object, name: string): void {
  if (!functionNames.has(name)) {
    throw new ExpressionError(`calls ${name}(), which does not exist`)
  }
  if (name === 'uri') checkUri(node)
}

/** Finds faults of single nodes, in one walk: at start, every expression is checked. */
function checkNodes(node: unknown): void {
  if (node === null || typeof node !== 'object') return
  const { type = '', name, left } = node as Part
  if (type === 'Function') checkFunction(node, String(name))
  // In JMESPath `!` binds closer than a dot: `!a.b` reads a member of a boolean, so it is always null.
  if (left?.type === 'NotExpression' && READING.includes(type)) {
    throw new ExpressionError('negates before it reads the member: write !(a.b), not !a.b')
  }
  for (const child of Object.values(node)) checkNodes(child)
}

function checkUri(node: object): void {
  const fault = uriFault(node)
  if (fault !== null) throw new ExpressionError(fault)
}

/**
 * Finds misspelt names without evaluating: a field read at the root must be in scope, and a member of `input`
 * must be in its schema. Skips the parts of a node that are evaluated over another value than the root.
 */
function checkNames(node: ExpressionNode, names: ExpressionNames): void {
  if (node.type === 'Field' && !names.roots.includes(node.name)) {
    throw new ExpressionError(
      `reads "${node.name}", but only ${names.roots.join(', ')} are in scope`,
      { cure: cureOfName(node.name, names.roots) },
    )
  }
  if (node.type === 'Subexpression') checkMember(node.left, node.right, names)
  for (const child of childrenAtRoot(node)) checkNames(child, names)
}

const BOTH = ['left', 'right']

/** The parts of a node that are evaluated over the same value as the node itself. Other nodes have only `left`. */
const SAME_VALUE: Readonly<Record<string, readonly string[]>> = {
  LetExpression: ['bindings', 'expression'],
  Binding: ['reference'],
  Ternary: ['condition', 'trueExpr', 'falseExpr'],
  MultiSelectHash: ['children'],
  KeyValuePair: ['value'],
  MultiSelectList: ['children'],
  Function: ['children'],
  Flatten: ['child'],
  NotExpression: ['child'],
  OrExpression: BOTH,
  AndExpression: BOTH,
  Comparator: BOTH,
  Arithmetic: BOTH,
}

function childrenAtRoot(node: ExpressionNode): readonly ExpressionNode[] {
  const parts = node as unknown as Readonly<Record<string, ExpressionNode | ExpressionNode[]>>
  return (SAME_VALUE[node.type] ?? ['left']).flatMap(name => parts[name] ?? [])
}

function checkMember(left: ExpressionNode, right: ExpressionNode, names: ExpressionNames): void {
  const { roots } = names
  if (left.type === 'Root' && right.type === 'Field' && !roots.includes(right.name)) {
    const reading = roots.includes('body') ? `body.${right.name}` : `input.${right.name}`
    throw new ExpressionError(`reads "$.${right.name}", but $ has only ${roots.join(', ')}`, {
      cure: `In JMESPath, $ is the whole scope, not the answer: write ${reading}.`,
    })
  }
  if (left.type === 'Field' && right.type === 'Field') checkField(left.name, right.name, names)
}

function checkField(owner: string, name: string, names: ExpressionNames): void {
  const { knownOf, none, some, list } = OWNERS.get(owner) ?? {}
  const known = knownOf?.(names) ?? null
  if (known === null || known.includes(name)) return
  const others = known.length === 0 ? none : `${some} ${known.join(', ')}`
  throw new ExpressionError(`reads ${owner}.${name}, but ${others}`, {
    cure: `Correct the name, or add ${name} to ${list}.`,
  })
}

interface Owner {
  /** Its members; null when it may have any. */
  readonly knownOf: (names: ExpressionNames) => readonly string[] | null
  readonly none: string
  readonly some: string
  readonly list: string
}

const OWNERS: ReadonlyMap<string, Owner> = new Map([
  [
    'input',
    {
      knownOf: ({ inputs }) => inputs,
      none: 'the input has no members',
      some: 'the input has only',
      list: 'input.properties',
    },
  ],
  [
    'constants',
    {
      knownOf: ({ constants = [] }) => constants,
      none: 'upstream.yaml has no constants',
      some: 'upstream.yaml has only',
      list: 'constants of upstream.yaml',
    },
  ],
  [
    'lookup',
    {
      knownOf: ({ lookups = null }) => lookups,
      none: 'no lookup of the route runs before',
      some: 'the only lookups that run before are',
      list: 'lookup of the route',
    },
  ],
  [
    'then',
    {
      knownOf: ({ steps = null }) => steps,
      none: 'no step of the route runs before',
      some: 'the only steps that run before are',
      list: 'then of the route',
    },
  ],
] satisfies [string, Owner][])
