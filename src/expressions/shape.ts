import { compile } from '@jmespath-community/jmespath'

/** A node of a parsed expression, as far as this module reads it. */
interface Node {
  readonly type?: string
  readonly name?: unknown
  readonly left?: Node
  readonly right?: Node
  readonly value?: Node
  readonly expression?: Node
  readonly children?: readonly Node[]
}

/** A member of the object that an expression makes. */
export interface Made {
  readonly name: string
  /** The member of `input` that it reads where `input` is not in scope, so that it is always null; else null. */
  readonly misread: string | null
}

/** The members of the object that an expression always makes; null if it may make another value. */
export function membersMade(text: string): readonly Made[] | null {
  const node = parse(text)
  return node && membersOf(node, false)
}

function parse(text: string): Node | null {
  try {
    return compile(text) as Node
  } catch {
    // The compiler of the card reports it.
    return null
  }
}

function membersOf(node: Node, isInner: boolean): readonly Made[] | null {
  switch (node.type) {
    case 'LetExpression':
      return node.expression ? membersOf(node.expression, isInner) : null
    case 'Subexpression':
    case 'Pipe':
      return node.right?.type === 'MultiSelectHash' ? membersOf(node.right, true) : null
    case 'MultiSelectHash':
      return (node.children ?? []).map(({ name, value }) => ({
        name: String(name),
        misread: isInner && value ? inputMember(value) : null,
      }))
    default:
      return null
  }
}

/** `sku` of `input.sku`. */
function inputMember({ type, left, right }: Node): string | null {
  const isMember =
    type === 'Subexpression' &&
    left?.type === 'Field' &&
    left.name === 'input' &&
    right?.type === 'Field'
  return isMember ? String(right?.name) : null
}

/** The parts of a node that are evaluated over another value than the node itself. */
const OTHER_VALUE = ['right', 'condition', 'expression', 'child']
/** Nodes whose parts all see the value of the node. */
const SAME_VALUE = new Set([
  'LetExpression',
  'OrExpression',
  'AndExpression',
  'Comparator',
  'Arithmetic',
  'NotExpression',
  'Flatten',
  'Ternary',
])

/** The members of `input` that an expression reads where `input` is not in scope. */
export function misreadInputs(text: string): readonly string[] {
  const node = parse(text)
  const found = new Set<string>()
  if (node) collect(node, false, found)
  return [...found]
}

function collect(node: unknown, isInner: boolean, found: Set<string>): void {
  if (node === null || typeof node !== 'object') return
  const { type } = node as Node
  const member = isInner ? inputMember(node as Node) : null
  if (member !== null) found.add(member)
  for (const [key, part] of Object.entries(node)) {
    collect(part, isInner || isOtherValue(key, type), found)
  }
}

function isOtherValue(key: string, type = ''): boolean {
  return OTHER_VALUE.includes(key) && !SAME_VALUE.has(type)
}
