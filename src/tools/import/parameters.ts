import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { type InputMembers, read } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { NotExpressible } from './offer.ts'
import { deref, type Json, listOf, textOf } from './references.ts'

/** Where the parameters of an operation go in a request. */
export interface Placed {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly source: Json
  readonly schema: JsonSchema
}

/** Parameters of the path stand beside those of the operation, which win (OpenAPI, Path Item Object). */
export function placeParameters(
  template: string,
  sources: readonly unknown[],
  credentialHeader: string | null,
  members: InputMembers,
  context: SchemaContext,
): Placed {
  const parameters = readParameters(sources, context)
  const query: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const inPath = new Map(
    namesIn(template).map(name => [name, addPathParameter(name, parameters, members, context)]),
  )
  const path = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${inPath.get(name)}}`)
  for (const parameter of parameters) {
    if (parameter.in === 'query') Object.assign(query, placeQuery(parameter, members, context))
    if (parameter.in === 'header' && !isSetElsewhere(parameter, credentialHeader)) {
      const name = members.add(parameter.name, 'header', parameter.schema, parameter.isRequired)
      headers[parameter.name.toLowerCase()] = joined(read(name), parameter.schema, ',')
    }
    if (parameter.in === 'cookie') leaveOut(parameter, 'no card can send', context)
  }
  if (/[{}#\s]/.test(path.replaceAll(/\{\w+\}/g, ''))) {
    throw new NotExpressible('has a path that is no plain template')
  }
  return { path, query, headers }
}

function readParameters(sources: readonly unknown[], context: SchemaContext): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const value of sources) {
    const source = deref(context.document, value)
    const name = textOf(source.name)
    if (name === null) continue
    const [content] = Object.values(isObject(source.content) ? source.content : {})
    const schema = convertSchema(
      source.schema ?? (isObject(content) ? content.schema : {}),
      context,
    )
    const about = textOf(source.description)
    const described = about === null ? schema : { ...schema, ...oneLine(about) }
    const place = textOf(source.in) ?? ''
    found.set(`${place} ${name}`, {
      name,
      in: place,
      isRequired: source.required === true,
      source,
      schema: described,
    })
  }
  return [...found.values()]
}

function oneLine(text: string): JsonSchema {
  return { description: text.replaceAll(/\s+/g, ' ').trim().slice(0, 300) }
}

function namesIn(template: string): string[] {
  return [...new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))]
}

function addPathParameter(
  name: string,
  parameters: readonly Parameter[],
  members: InputMembers,
  { notes }: SchemaContext,
): string {
  const parameter = parameters.find(one => one.in === 'path' && one.name === name)
  if (!parameter) notes.add(`{${name}} of the path is not described; it is taken for a text.`)
  if (parameter && (isMany(parameter.schema) || hasStyle(parameter, /matrix|label/))) {
    throw new NotExpressible(`has the path parameter ${name}, which is no single plain value`)
  }
  const schema = parameter?.schema ?? { type: 'string' }
  const isText = schema.type === 'string' && schema.minLength === undefined && !schema.enum
  return members.add(name, 'path', isText ? { ...schema, minLength: 1 } : schema, true)
}

function hasStyle({ source }: Parameter, style: RegExp): boolean {
  return style.test(textOf(source.style) ?? '')
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

function placeQuery(
  parameter: Parameter,
  members: InputMembers,
  context: SchemaContext,
): Record<string, string> {
  const { name, schema, source, isRequired } = parameter
  if (source.content !== undefined) {
    const value = read(members.add(name, 'query', schema, isRequired))
    return { [name]: `${value} && to_string(${value})` }
  }
  if (allowsObject(schema)) return placeDeep(parameter, members, context)
  const value = read(members.add(name, 'query', schema, isRequired))
  const separator = SEPARATORS[textOf(source.style) ?? ''] ?? ','
  return { [name]: source.explode === false ? joined(value, schema, separator) : value }
}

/** `deepObject` is the one style of an object that names each member: `filter[state]=open`. */
function placeDeep(
  parameter: Parameter,
  members: InputMembers,
  context: SchemaContext,
): Record<string, string> {
  const { name, schema, isRequired, source } = parameter
  const inner = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const isPlain = inner.every(([key, part]) => /^[A-Za-z_]\w*$/.test(key) && !allowsObject(part))
  if (source.style !== 'deepObject' || !isPlain || inner.length === 0) {
    leaveOut(parameter, 'is an object in a form that no card can send', context)
    return {}
  }
  const only = { ...schema, additionalProperties: false }
  const value = read(members.add(name, 'query', only, isRequired))
  return Object.fromEntries(inner.map(([key]) => [`${name}[${key}]`, `${value}.${key}`]))
}

function joined(value: string, schema: JsonSchema, separator: string): string {
  if (!isMany(schema)) return value
  return `${value} && join('${separator}', map(&to_string(@), ${value}))`
}

function isMany(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('array') || allowsObject(schema)
}

function allowsObject(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('object') || schema.properties !== undefined
}

/** What can be done without is told; an operation that needs it cannot be expressed. */
function leaveOut(parameter: Parameter, why: string, { notes }: SchemaContext): void {
  const what = `the ${parameter.in} parameter ${parameter.name}`
  if (parameter.isRequired) throw new NotExpressible(`needs ${what}, which ${why}`)
  notes.add(`Left out ${what}, which ${why}.`)
}

/** By the standard these three are no parameters, but what media types and security say. */
const OF_THE_PROTOCOL = /^(accept|content-type|content-length|host|user-agent|connection)$/i
const CREDENTIAL = /^((proxy-)?authorization|cookie)$|api[-_]?key|token$|secret|password/i

function isSetElsewhere({ name }: Parameter, credentialHeader: string | null): boolean {
  if (OF_THE_PROTOCOL.test(name) || name.toLowerCase() === credentialHeader) return true
  if (!CREDENTIAL.test(name)) return false
  throw new NotExpressible(
    `takes a credential in the header ${name}, which callers should not have to know; describe it as a security scheme`,
  )
}

/** Whether parameters page through a list: the author has to say how. */
export function pagingNames(sources: readonly unknown[], document: Json): string[] {
  const names = listOf(sources).map(value => deref(document, value).name)
  return names.filter(
    (name): name is string =>
      typeof name === 'string' &&
      /^(page|per_?page|page_?size|page_?token|limit|offset|cursor|after|before|starting_after|first)$/i.test(
        name,
      ),
  )
}
