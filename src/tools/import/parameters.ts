import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { describedBy } from './description.ts'
import { NotExpressible } from './errors.ts'
import { type InputMembers, readExpression } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { deref, type Json, listOf, textOf } from './references.ts'

/** The places of an operation's parameters in a request. */
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

/**
 * Adds the parameters to the input, and places them in the request.
 * @param sources parameters of the path item, then those of the operation, which replace them (OpenAPI,
 * Path Item Object).
 */
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
      headers[parameter.name.toLowerCase()] = joined(readExpression(name), parameter.schema, ',')
    }
    if (parameter.in === 'cookie') leaveOut(parameter, 'no card can send', context)
  }
  if (/[{}#\s]/.test(path.replaceAll(/\{\w+\}/g, ''))) {
    throw new NotExpressible('has a path that is not a plain template')
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
    const place = textOf(source.in) ?? ''
    found.set(`${place} ${name}`, {
      name,
      in: place,
      isRequired: source.required === true,
      source,
      schema: { ...schema, ...describedBy(source.description) },
    })
  }
  return [...found.values()]
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
  if (!parameter) {
    notes.add(`The document does not describe {${name}} of the path; this card takes any text.`)
  }
  if (parameter && (isMany(parameter.schema) || hasStyle(parameter, /matrix|label/))) {
    throw new NotExpressible(`has the path parameter ${name}, which is not a single plain value`)
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
    const value = readExpression(members.add(name, 'query', schema, isRequired))
    return { [name]: `${value} && to_string(${value})` }
  }
  if (allowsObject(schema)) return placeDeepObject(parameter, members, context)
  const value = readExpression(members.add(name, 'query', schema, isRequired))
  const separator = SEPARATORS[textOf(source.style) ?? ''] ?? ','
  return { [name]: source.explode === false ? joined(value, schema, separator) : value }
}

/** Only the style `deepObject` names each member of an object: `filter[state]=open`. */
function placeDeepObject(
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
  const closed = { ...schema, additionalProperties: false }
  const value = readExpression(members.add(name, 'query', closed, isRequired))
  return Object.fromEntries(inner.map(([key]) => [`${name}[${key}]`, `${value}.${key}`]))
}

function joined(value: string, schema: JsonSchema, separator: string): string {
  if (!isMany(schema)) return value
  return `${value} && join('${separator}', map(&to_string(@), ${value}))`
}

function isMany(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('array') || allowsObject(schema)
}

/** True if a value of the schema may be an object. */
function allowsObject({ type, properties }: JsonSchema): boolean {
  return [type].flat().includes('object') || properties !== undefined
}

/** Notes that the card lacks an optional parameter. A required one makes the operation inexpressible. */
function leaveOut(parameter: Parameter, why: string, { notes }: SchemaContext): void {
  const what = `the ${parameter.in} parameter ${parameter.name}`
  if (parameter.isRequired) throw new NotExpressible(`needs ${what}, which ${why}`)
  notes.add(`This card lacks ${what}, which ${why}.`)
}

/** Headers that a client sets itself; OpenAPI says to ignore the first two as parameters. */
const CLIENT_HEADERS = /^(accept|content-type|content-length|host|user-agent|connection)$/i
const CREDENTIAL = /^((proxy-)?authorization|cookie)$|api[-_]?key|token$|secret|password/i

function isSetElsewhere({ name }: Parameter, credentialHeader: string | null): boolean {
  if (CLIENT_HEADERS.test(name) || name.toLowerCase() === credentialHeader) return true
  if (!CREDENTIAL.test(name)) return false
  throw new NotExpressible(
    `takes a credential in the header ${name}, which callers should not need to know; describe it as a security scheme`,
  )
}

/** The names of the parameters that seem to page through a list. */
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
