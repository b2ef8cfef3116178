import { compile } from '@jmespath-community/jmespath'
import {
  compileTarget,
  type TargetBuilder,
  type TargetValues,
  variablesOf,
} from '../lib/request-target.ts'

/** The part of a node of an expression that matters here. */
interface Node {
  readonly type?: string
  readonly name?: unknown
  readonly value?: unknown
  readonly children?: readonly Node[]
  readonly expression?: Node
  readonly trueExpr?: Node
  readonly falseExpr?: Node
}

/** Only literal templates of cards get here, so their number is bounded. */
const builders = new Map<string, TargetBuilder>()

/** The function `uri(template, values)` of expressions. */
export function expandUri(template: string, values: TargetValues): string {
  let build = builders.get(template)
  if (!build) {
    build = compileTarget(template)
    builders.set(template, build)
  }
  return build(values)
}

/** The fault of a call of `uri`, or null: a template must be a literal, so that no value becomes part of it. */
export function uriFault(call: unknown): string | null {
  const [template, values] = (call as Node).children ?? []
  if (template?.type !== 'Literal' || typeof template.value !== 'string') {
    return 'calls uri() with a template that is not a literal'
  }
  return templateFault(template.value) ?? missingValue(template.value, values)
}

function templateFault(template: string): string | null {
  try {
    compileTarget(template)
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `calls uri() with a faulty template: ${error.message}`
  }
}

function missingValue(template: string, values: Node | undefined): string | null {
  if (values?.type !== 'MultiSelectHash') return null
  const names = values.children?.map(child => child.name) ?? []
  const unknown = variablesOf(template).find(name => !names.includes(name))
  return unknown === undefined ? null : `calls uri() without a value for {${unknown}}`
}

/** Whether an expression can only give literals and what `uri()` builds. */
export function isBuiltByUri(text: string): boolean {
  try {
    return isSafe(compile(text))
  } catch {
    // A syntax error is reported where the expression is compiled for use.
    return true
  }
}

function isSafe(node: Node | undefined): boolean {
  switch (node?.type) {
    case 'Literal':
      return true
    case 'Function':
      return node.name === 'uri'
    case 'Ternary':
      return isSafe(node.trueExpr) && isSafe(node.falseExpr)
    case 'LetExpression':
      return isSafe(node.expression)
    default:
      return false
  }
}
