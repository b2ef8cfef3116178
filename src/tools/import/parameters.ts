import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import type { Suspect, Verdict } from './covered.ts'
import { describedBy } from './description.ts'
import { NotExpressible } from './errors.ts'
import { type InputMembers, readExpression } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { deref, type Json, listOf, textOf } from './references.ts'
import { headerOf, isMany, queryOf } from './styles.ts'

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

interface Placing {
  readonly members: InputMembers
  readonly context: SchemaContext
  /** Decides about parameters that carry a credential. */
  readonly judge: (parameter: Suspect) => Verdict
}

/**
 * Adds the parameters to the input, and places them in the request.
 * @param sources parameters of the path item, then those of the operation, which replace them (OpenAPI,
 * Path Item Object).
 */
export function placeParameters(
  template: string,
  sources: readonly unknown[],
  placing: Placing,
): Placed {
  const parameters = readParameters(sources, placing)
  const [inPath = '', inQuery = ''] = withoutFragment(template).split('?')
  const headers: Record<string, string> = {}
  const names = new Map(
    namesIn(inPath).map(name => [name, addPathParameter(name, parameters, placing)]),
  )
  const path = inPath.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${names.get(name)}}`)
  const query: Record<string, string> = placeTemplateQuery(inQuery, parameters, placing)
  for (const parameter of parameters) {
    if (parameter.in === 'query') Object.assign(query, placeQuery(parameter, placing))
    if (parameter.in === 'header') Object.assign(headers, placeHeader(parameter, placing))
    if (parameter.in === 'cookie') leaveOut(parameter, 'no card can send', placing)
  }
  if (/[{}\s]/.test(path.replaceAll(/\{\w+\}/g, ''))) {
    throw new NotExpressible('has a path that is not a plain template')
  }
  return { path, query, headers }
}

/** Some documents tell operations of one path apart by a fragment, which no client sends. */
function withoutFragment(template: string): string {
  return template.replace(/#.*$/, '')
}

/** A query in the path, such as `?v=2&name={name}`, which OpenAPI does not allow but documents have. */
function placeTemplateQuery(
  text: string,
  parameters: readonly Parameter[],
  placing: Placing,
): Record<string, string> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => {
      const [, variable] = /^\{([^{}]+)\}$/.exec(value) ?? []
      const sent =
        variable === undefined
          ? `'${value.replaceAll("'", "\\'")}'`
          : readExpression(addPathParameter(variable, parameters, placing))
      return [name, sent]
    }),
  )
}

function readParameters(sources: readonly unknown[], placing: Placing): Parameter[] {
  const { context } = placing
  const found = new Map<string, Parameter>()
  for (const value of sources) {
    const source = deref(context.document, value)
    const name = textOf(source.name)
    if (name === null || isCovered(name, source, placing)) continue
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
      schema: {
        ...schema,
        ...describedBy(source.description),
        ...(source.deprecated === true ? { deprecated: true } : {}),
      },
    })
  }
  return [...found.values()]
}

/** True for a parameter that the card does not take, because it carries a credential. */
function isCovered(name: string, source: Json, placing: Placing): boolean {
  const suspect = {
    name,
    in: textOf(source.in) ?? '',
    isRequired: source.required === true,
    description: textOf(source.description),
  }
  const verdict = placing.judge(suspect)
  if (typeof verdict === 'object') leaveOut(suspect, verdict.leaveOut, placing)
  if (verdict === 'covered') {
    const what = `the ${suspect.in} parameter ${name}`
    placing.context.notes.add(`The credential of upstream.yaml takes the place of ${what}.`)
  }
  return verdict !== 'keep'
}

function namesIn(template: string): string[] {
  return [...new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))]
}

function addPathParameter(
  name: string,
  parameters: readonly Parameter[],
  { members, context: { notes } }: Placing,
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

function placeQuery(parameter: Parameter, placing: Placing): Readonly<Record<string, string>> {
  const { name, schema, isRequired } = parameter
  const member = placing.members.nameFor(name, 'query')
  const sent = queryOf(parameter, member)
  if (typeof sent === 'string') {
    leaveOut(parameter, sent, placing)
    return {}
  }
  // A member of an object that has no parameter of its own would be lost.
  const isSplit = Object.keys(sent).length > 1 || !Object.hasOwn(sent, name)
  placing.members.add(name, 'query', isSplit ? closed(schema) : schema, isRequired)
  return sent
}

function closed(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined ? schema : { ...schema, additionalProperties: false }
}

function placeHeader(parameter: Parameter, { members }: Placing): Readonly<Record<string, string>> {
  const { name, schema, isRequired } = parameter
  const member = members.add(name, 'header', schema, isRequired)
  return { [name.toLowerCase()]: headerOf(parameter, member) }
}

/** Notes that the card lacks an optional parameter. A required one makes the operation inexpressible. */
function leaveOut(
  parameter: Pick<Parameter, 'in' | 'name' | 'isRequired'>,
  why: string,
  { context: { notes } }: Placing,
): void {
  const what = `the ${parameter.in} parameter ${parameter.name}`
  if (parameter.isRequired) throw new NotExpressible(`needs ${what}, which ${why}`)
  notes.add(`This card lacks ${what}, which ${why}.`)
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
