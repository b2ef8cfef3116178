import { parseTemplate } from 'url-template'
import { isRawNumber, rawNumbersToText } from './exact-json.ts'

export type TargetValues = Readonly<Record<string, unknown>>
/** Query parameters in order. Null omits one, an array repeats it. */
export type TargetParameters = readonly (readonly [name: string, value: unknown])[]

/** Builds the path and query of a request. */
export type TargetBuilder = (values: TargetValues, parameters?: TargetParameters) => string

/** A value that cannot become part of a path or query. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  /** The variable or parameter that has the value. */
  readonly field: string
  readonly value: unknown
  /** Continues a sentence that begins with the field: "must have a value". */
  readonly fault: string
  readonly tooLong: boolean

  constructor(field: string, value: unknown, fault: string, tooLong = false) {
    super(`${field} ${fault}`)
    this.field = field
    this.value = value
    this.fault = fault
    this.tooLong = tooLong
  }
}

interface Variable {
  readonly name: string
  readonly members: readonly string[]
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
/** Text that needs no encoding (RFC 3986 §2.3). */
const UNRESERVED = /^[\w.~-]*$/
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
    throw new TargetError('input', null, fault, true)
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
    : (values: TargetValues) => encode(name, scalarOf(variable, values))
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
        throw new TargetError(name, values[name], 'is not well-formed Unicode')
      }
    },
  }
}

function bareName(name: string): string {
  return name.replace(/[:*].*/, '')
}

function checkValue(variable: Variable, values: TargetValues, inQuery: boolean): void {
  const value = valueOf(variable, values)
  const items = Array.isArray(value) ? value : [value]
  if (!inQuery && items.length === 0) throw emptyError(variable.name, value)
  for (const item of items) {
    if (inQuery && (item === null || item === undefined)) continue
    const text = inQuery ? singleValue(variable.name, item) : requireText(variable.name, item)
    checkText(variable.name, text)
  }
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

function emptyError(name: string, value: unknown): TargetError {
  return new TargetError(name, value, 'must have a value, because it is part of the path')
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
    throw new TargetError(name, value, 'begins or ends with a slash, or has two in a row')
  }
  return segments.map(segment => encode(name, segment)).join('/')
}

function encode(name: string, value: string): string {
  if (UNRESERVED.test(value)) return value
  checkText(name, value)
  return encodeURIComponent(value).replace(/[!'()*]/g, percentEncoded)
}

/** Refuses text that cannot be encoded, and NUL, where many servers end the name that they read. */
function checkText(name: string, value: string): void {
  if (!value.isWellFormed()) throw new TargetError(name, value, 'is not well-formed Unicode')
  if (value.includes('\0')) throw new TargetError(name, value, 'contains a NUL character')
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
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
  throw new TargetError(culprit?.name ?? '', value, fault)
}

function hasDotSegment(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.some(item => /(?:^|[/\\])\.{1,2}(?:$|[/\\])/.test(String(item)))
}

function appendParameters(target: string, parameters: TargetParameters): string {
  let result = target
  let separator = target.includes('?') ? '&' : '?'
  for (const [name, value] of parameters) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue
      result += `${separator}${encodeURIComponent(name)}=${encode(name, singleValue(name, item))}`
      separator = '&'
    }
  }
  return result
}

/** @throws {TargetError} unless the value is a text, a number or a boolean */
function singleValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRawNumber(value)) return value.rawJSON
  throw new TargetError(name, value, 'must be a single value')
}
