import { parseTemplate } from 'url-template'
import { isRawNumber, rawNumbersToText } from './exact-json.ts'
import { type ParameterForm, writeParameter } from './parameters.ts'
import { checkText, percentEncode } from './percent-encoding.ts'
import { singleText, ValueError } from './value-error.ts'

export type TargetValues = Readonly<Record<string, unknown>>
/** Query parameters in order. */
export type TargetParameters = readonly (readonly [form: ParameterForm, value: unknown])[]

/** Builds the path and query of a request. */
export type TargetBuilder = (values: TargetValues, parameters?: TargetParameters) => string

interface Variable {
  readonly name: string
  readonly members: readonly string[]
  /** Whether an object may be its value: `{name*}`. */
  readonly explodes?: boolean
}

interface Part {
  readonly variables: readonly Variable[]
  readonly expand: (values: TargetValues) => string
}

/** RFC 9112 §3 asks servers to accept at least this; many accept no more. */
const MAX_TARGET_LENGTH = 8000
/**
 * A single variable, with or without `+`; nearly all paths need no more. A name with dots reads from a
 * lookup's answer, such as `lookup.pull.head.sha`, or in a follow-up request from the write's answer.
 */
const SIMPLE = /^(\+?)(\w+|(?:lookup|body)(?:\.\w+)+)$/
/** Every dot segment contains one of these: a cheap check that comes before the thorough one. */
const DOT = /\.|%2e/i
/** Dot segments in any encoding: a server that decodes first would resolve them to another path. */
const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\?#]|%2f|%5c)/i

/**
 * Compiles an RFC 6570 template. This is the only place that puts values into a path or query: rest
 * sections, `uri()` in expressions and so the endpoints of `gh api` all use it. It is stricter than the
 * standard, so that a path names what the caller meant: every variable of the path must have a value, and
 * no value can add a segment, a query or a fragment. `{+path}` may add segments, but no `..`.
 * @throws {SyntaxError} if the template is malformed
 */
export function compileTarget(template: string): TargetBuilder {
  const parts: Part[] = []
  for (const [, expression, literal] of template.matchAll(/\{([^{}]*)\}|([^{}]+|[{}])/g)) {
    if (expression === undefined) parts.push(literalPart(literal ?? ''))
    else parts.push(expressionPart(expression))
  }
  const shape = template.replaceAll(/\{([?&]?)[^{}]*\}/g, (_, query) => (query ? '?' : 'x'))
  if (DOT_SEGMENT.test(pathOf(shape))) {
    throw new SyntaxError('a segment "." or ".." is not allowed in a path')
  }
  return (values, parameters = []) => {
    let target = ''
    for (const part of parts) target += part.expand(values)
    if (DOT.test(target)) refuseDotSegments(target, parts, values)
    target = appendParameters(target, parameters)
    if (target.length <= MAX_TARGET_LENGTH) return target
    const fault = `makes the URL longer than ${MAX_TARGET_LENGTH} characters`
    throw new ValueError('input', null, fault, true)
  }
}

/** The names of the variables in a template. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{[+?&./;]?([^{}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map(bareName),
  )
}

function literalPart(literal: string): Part {
  if (/[{}#\s]/.test(literal)) throw new SyntaxError(`"${literal}" is not allowed in a path`)
  return { variables: [], expand: () => literal }
}

function expressionPart(expression: string): Part {
  const [, plus, name] = SIMPLE.exec(expression) ?? []
  if (name === undefined) return standardPart(expression)
  const variable = { name, members: name.split('.') }
  const expand = plus
    ? (values: TargetValues) => encodeSegments(name, scalarOf(variable, values))
    : (values: TargetValues) => percentEncode(name, scalarOf(variable, values))
  return { variables: [variable], expand }
}

/** Lists, modifiers and query operators, expanded as RFC 6570 says. */
function standardPart(expression: string): Part {
  const [, operator = '', names = ''] =
    /^([.;/?&]?)((?:\w+(?::\d+|\*)?)(?:,\w+(?::\d+|\*)?)*)$/.exec(expression) ?? []
  if (names === '')
    throw new SyntaxError(`"{${expression}}" is not an RFC 6570 expression allowed in a path`)
  const template = parseTemplate(`{${expression}}`)
  const inQuery = operator === '?' || operator === '&'
  const variables = names.split(',').map(name => ({
    name: bareName(name),
    members: [bareName(name)],
    explodes: name.endsWith('*') && !inQuery,
  }))
  return {
    variables: inQuery ? [] : variables,
    expand: values => {
      for (const variable of variables) checkValue(variable, values, inQuery)
      try {
        return template.expand(rawNumbersToText(values) as Parameters<typeof template.expand>[0])
      } catch {
        // A prefix such as {name:3} can cut a surrogate pair in half.
        const [{ name } = { name: '' }] = variables
        throw new ValueError(name, values[name], 'is not well-formed Unicode')
      }
    },
  }
}

function bareName(name: string): string {
  return name.replace(/[:*].*/, '')
}

function checkValue(variable: Variable, values: TargetValues, inQuery: boolean): void {
  const value = valueOf(variable, values)
  const items = itemsOf(value, variable)
  if (!inQuery && items.length === 0) throw emptyError(variable.name, value)
  for (const item of items) {
    if (inQuery && (item === null || item === undefined)) continue
    const text = inQuery ? singleText(variable.name, item) : requireText(variable.name, item)
    checkText(variable.name, text)
  }
}

function itemsOf(value: unknown, { explodes }: Variable): readonly unknown[] {
  if (Array.isArray(value)) return value
  const isObject = typeof value === 'object' && value !== null && !isRawNumber(value)
  return explodes && isObject ? Object.entries(value).flat() : [value]
}

function scalarOf(variable: Variable, values: TargetValues): string {
  return requireText(variable.name, valueOf(variable, values))
}

function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRawNumber(value)) return value.rawJSON
  throw emptyError(name, value)
}

function emptyError(name: string, value: unknown): ValueError {
  return new ValueError(name, value, 'must have a value, because it is part of the path')
}

function valueOf({ members }: Variable, values: TargetValues): unknown {
  let value: unknown = values
  for (const name of members) value = ownMember(value, name)
  return value
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as TargetValues)[name]
}

function encodeSegments(name: string, value: string): string {
  const segments = value.split('/')
  // Servers drop empty segments, or read the rest as another host.
  if (segments.includes('')) {
    throw new ValueError(name, value, 'begins or ends with a slash, or has two in a row')
  }
  return segments.map(segment => percentEncode(name, segment)).join('/')
}

/** The part before the query, where dots name no path. */
function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

function refuseDotSegments(target: string, parts: readonly Part[], values: TargetValues): void {
  if (!DOT_SEGMENT.test(pathOf(target))) return
  const variables = parts.flatMap(part => part.variables)
  // If several values make up the segment together, blame the first.
  const culprit = variables.find(one => hasDotSegment(valueOf(one, values))) ?? variables[0]
  const value = culprit && valueOf(culprit, values)
  const fault = 'has a segment "." or "..", which would change the path'
  throw new ValueError(culprit?.name ?? '', value, fault)
}

function hasDotSegment(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.some(item => /(?:^|[/\\])\.{1,2}(?:$|[/\\])/.test(String(item)))
}

function appendParameters(target: string, parameters: TargetParameters): string {
  let result = target
  let separator = target.includes('?') ? '&' : '?'
  for (const [form, value] of parameters) {
    for (const pair of writeParameter(form, value)) {
      result += separator + pair
      separator = '&'
    }
  }
  return result
}
