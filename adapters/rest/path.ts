import { parseTemplate } from 'url-template'
import { RequestError } from './request-error.ts'

type Input = Readonly<Record<string, unknown>>
type Part = (input: Input) => string

export type PathBuilder = (input: Input) => string

/**
 * One variable alone, with or without `+`: nearly every path is made of these. With dots it is read from
 * the answer of a lookup, such as `lookup.pull.head.sha`, and in a step from that of the change.
 */
const SIMPLE = /^(\+?)(\w+|(?:lookup|body)(?:\.\w+)+)$/
/** Needs no encoding (RFC 3986 §2.3). */
const UNRESERVED = /^[\w.~-]*$/
/** What every dot segment has. */
const DOT = /\.|%2e/i
/** Dot segments in any spelling: a server that decodes early would leave the path that was meant. */
const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\?#]|%2f|%5c)/i

/**
 * Compiles an RFC 6570 template. Stricter than the standard where that guards the shape of the path:
 * a variable in it must have a value, and no value can add a segment, a query or a fragment (`{+path}`
 * may add segments, but none that climb).
 * @throws {SyntaxError} when the template is malformed.
 */
export function compilePath(template: string): PathBuilder {
  const parts: Part[] = []
  for (const [, expression, literal] of template.matchAll(/\{([^{}]*)\}|([^{}]+|[{}])/g)) {
    if (expression === undefined) parts.push(literalPart(literal ?? ''))
    else parts.push(expressionPart(expression))
  }
  return input => {
    let path = ''
    for (const part of parts) path += part(input)
    if (DOT.test(path) && DOT_SEGMENT.test(path)) {
      throw new RequestError('VALIDATION', culprit(template, input), 'would lead to another path')
    }
    return path
  }
}

function literalPart(literal: string): Part {
  if (/[{}#\s]/.test(literal)) throw new SyntaxError(`"${literal}" cannot stand in a path`)
  return () => literal
}

function expressionPart(expression: string): Part {
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

/** Lists, modifiers and the query operators, by the book. */
function standardPart(expression: string): Part {
  const [, operator = '', names = ''] =
    /^([.;/?&]?)((?:\w+(?::\d+|\*)?)(?:,\w+(?::\d+|\*)?)*)$/.exec(expression) ?? []
  if (names === '')
    throw new SyntaxError(`"{${expression}}" is no RFC 6570 expression that a path can hold`)
  const template = parseTemplate(`{${expression}}`)
  const optional = operator === '?' || operator === '&'
  const variables = names.split(',').map(name => name.replace(/[:*].*/, ''))
  return input => {
    if (!optional) for (const name of variables) scalar(name, [name], input)
    try {
      return template.expand(input as Parameters<typeof template.expand>[0])
    } catch {
      throw new RequestError('VALIDATION', variables[0] ?? '', 'is no well-formed text')
    }
  }
}

function scalar(name: string, members: readonly string[], input: Input): string {
  let value: unknown = input
  for (const one of members) value = member(value, one)
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new RequestError('VALIDATION', name, 'must have a value, since it is part of the path')
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
    throw new RequestError('VALIDATION', name, 'is no well-formed text')
  }
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The variable whose value holds the dots; the first one when they come from several. */
function culprit(template: string, input: Input): string {
  const names = [...template.matchAll(/\{[^{}\w]?(\w+)/g)].map(([, name = '']) => name)
  return names.find(name => /(^|[/\\])\.{1,2}($|[/\\])/.test(String(input[name]))) ?? names[0] ?? ''
}
