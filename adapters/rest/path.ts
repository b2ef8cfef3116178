import { parseTemplate } from 'url-template'
import { isRawNumber, rawNumbersToText } from '../../src/lib/exact-json.ts'
import { notWellFormed, RequestError } from './request-error.ts'

type Input = Readonly<Record<string, unknown>>
type PathPart = (input: Input) => string

export type PathBuilder = (input: Input) => string

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
 * Compiles an RFC 6570 template. Stricter than the standard, to protect the shape of the path: every
 * variable must have a value, and no value can add a segment, a query or a fragment (`{+path}` may add
 * segments, but no `..`).
 * @throws {SyntaxError} if the template is malformed
 */
export function compilePath(template: string): PathBuilder {
  const parts: PathPart[] = []
  for (const [, expression, literal] of template.matchAll(/\{([^{}]*)\}|([^{}]+|[{}])/g)) {
    if (expression === undefined) parts.push(literalPart(literal ?? ''))
    else parts.push(expressionPart(expression))
  }
  return input => {
    let path = ''
    for (const part of parts) path += part(input)
    if (DOT.test(path) && DOT_SEGMENT.test(path)) {
      throw new RequestError('VALIDATION', culprit(template, input), 'would change the path')
    }
    return path
  }
}

function literalPart(literal: string): PathPart {
  if (/[{}#\s]/.test(literal)) throw new SyntaxError(`"${literal}" is not allowed in a path`)
  return () => literal
}

function expressionPart(expression: string): PathPart {
  const [, plus, name] = SIMPLE.exec(expression) ?? []
  if (name === undefined) return standardPart(expression)
  const members = name.split('.')
  return input => {
    const value = scalar(name, members, input)
    return plus
      ? value
          .split('/')
          .map(segment => encode(name, segment))
          .join('/')
      : encode(name, value)
  }
}

/** Lists, modifiers and query operators, expanded as RFC 6570 says. */
function standardPart(expression: string): PathPart {
  const [, operator = '', names = ''] =
    /^([.;/?&]?)((?:\w+(?::\d+|\*)?)(?:,\w+(?::\d+|\*)?)*)$/.exec(expression) ?? []
  if (names === '')
    throw new SyntaxError(`"{${expression}}" is not an RFC 6570 expression allowed in a path`)
  const template = parseTemplate(`{${expression}}`)
  const optional = operator === '?' || operator === '&'
  const variables = names.split(',').map(name => name.replace(/[:*].*/, ''))
  return input => {
    if (!optional) for (const name of variables) scalar(name, [name], input)
    try {
      return template.expand(rawNumbersToText(input) as Parameters<typeof template.expand>[0])
    } catch {
      throw notWellFormed(variables[0] ?? '')
    }
  }
}

function scalar(name: string, members: readonly string[], input: Input): string {
  let value: unknown = input
  for (const one of members) value = member(value, one)
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRawNumber(value)) return value.rawJSON
  throw new RequestError('VALIDATION', name, 'must have a value, because it is part of the path')
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Input)[name]
}

function encode(name: string, value: string): string {
  if (UNRESERVED.test(value)) return value
  try {
    return encodeURIComponent(value).replace(/[!'()*]/g, percentEncoded)
  } catch {
    throw notWellFormed(name)
  }
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The variable whose value contains the dot segment, or the first one if several values make it up. */
function culprit(template: string, input: Input): string {
  const names = [...template.matchAll(/\{[^{}\w]?(\w+)/g)].map(([, name = '']) => name)
  return names.find(name => /(^|[/\\])\.{1,2}($|[/\\])/.test(String(input[name]))) ?? names[0] ?? ''
}
