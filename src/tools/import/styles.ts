import type { JsonSchema } from '../../model/card.ts'
import { readExpression } from './input-members.ts'
import { type Json, textOf } from './references.ts'

/** How the value of a parameter is written: OpenAPI's `style`, `explode`, and the schema of the value. */
export interface Styled {
  readonly name: string
  readonly source: Json
  readonly schema: JsonSchema
}

/** Query parameter → expression; a sentence without subject if no card can send the value. */
export type QueryParameters = Readonly<Record<string, string>> | string

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }
/** Levels of an object that have a parameter for each of their members. */
const MAX_LEVELS = 4

/** The query parameters that send the member `member` of the input. */
export function queryOf({ name, source, schema }: Styled, member: string): QueryParameters {
  const value = readExpression(member)
  if (source.content !== undefined) return { [name]: `${value} && to_string(${value})` }
  const style = textOf(source.style) ?? 'form'
  if (allowsObject(schema)) return objectInQuery({ name, source, schema }, style, value)
  const separator = SEPARATORS[style] ?? ','
  return { [name]: source.explode === false ? joined(value, schema, separator) : value }
}

function objectInQuery(
  { name, schema, source }: Styled,
  style: string,
  value: string,
): QueryParameters {
  const isDeep = style === 'deepObject'
  const leaves = leavesOf(schema, value, 0)
  if (!leaves || leaves.length === 0)
    return 'is an object without named members, which no card can send'
  if (!isDeep && (style !== 'form' || source.explode === false)) {
    return 'is an object in a form that no card can send'
  }
  if (!isDeep && leaves.some(({ path }) => path.length > 1))
    return 'is an object of objects, which no card can send'
  const members = leaves.map(({ path, expression }) => [
    isDeep ? `${name}${path.map(key => `[${key}]`).join('')}` : path[0],
    expression,
  ])
  const isMixed = isDeep && allowsOther(schema)
  const whole = isMixed ? { [name]: `type(${value}) == 'object' ? \`null\` : ${value}` } : {}
  return { ...whole, ...Object.fromEntries(members) }
}

interface Leaf {
  readonly path: readonly string[]
  readonly expression: string
}

/** The members of an object, and of the objects in it; null if a name cannot stand in an expression. */
function leavesOf(schema: JsonSchema, value: string, level: number): Leaf[] | null {
  const members = Object.entries(membersOf(schema))
  if (level > MAX_LEVELS || members.some(([key]) => !/^[A-Za-z_]\w*$/.test(key))) return null
  const found = members.map(([key, part]) => {
    const inner = readMember(value, key)
    if (!allowsObject(part)) return [{ path: [key], expression: inner }]
    const below = leavesOf(part, inner, level + 1)
    return below && below.length > 0
      ? below.map(leaf => ({ ...leaf, path: [key, ...leaf.path] }))
      : null
  })
  return found.some(one => one === null) ? null : found.flatMap(one => one ?? [])
}

/** The members that an object may have, whichever alternative it fits. */
function membersOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const own = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.assign({}, ...alternativesOf(schema).map(membersOf), own) as Record<
    string,
    JsonSchema
  >
}

function alternativesOf({ anyOf, oneOf, allOf }: JsonSchema): readonly JsonSchema[] {
  return [anyOf, oneOf, allOf].flatMap(parts =>
    Array.isArray(parts) ? (parts as JsonSchema[]) : [],
  )
}

function readMember(value: string, key: string): string {
  return /^(let|in)$/.test(key) ? `${value}."${key}"` : `${value}.${key}`
}

/** The expression that sends the member `member` of the input as a header, in the style `simple`. */
export function headerOf({ source, schema }: Styled, member: string): string {
  const value = readExpression(member)
  if (source.content !== undefined) return `${value} && to_string(${value})`
  if (!allowsObject(schema)) return joined(value, schema, ',')
  const pairs =
    source.explode === true
      ? `map(&join('=', map(&to_string(@), @)), items(${value}))`
      : `map(&to_string(@), items(${value})[])`
  return `${value} && join(',', ${pairs})`
}

function joined(value: string, schema: JsonSchema, separator: string): string {
  if (!isMany(schema)) return value
  return `${value} && join('${separator}', map(&to_string(@), ${value}))`
}

/** True if a value of the schema may be a list or an object. */
export function isMany(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('array') || allowsObject(schema)
}

/** True if a value of the schema may be an object. */
function allowsObject(schema: JsonSchema): boolean {
  if ([schema.type].flat().includes('object') || schema.properties !== undefined) return true
  return schema.type === undefined && alternativesOf(schema).some(allowsObject)
}

/** True if a value of the schema may also be no object. */
function allowsOther(schema: JsonSchema): boolean {
  if (schema.type !== undefined) return [schema.type].flat().some(type => type !== 'object')
  return alternativesOf(schema).some(part => !allowsObject(part))
}
