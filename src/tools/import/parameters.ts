import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import type { Suspect, Verdict } from './covered.ts'
import { describedBy } from './description.ts'
import { NotExpressible } from './errors.ts'
import { type InputMembers, readExpression } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { deref, type Json, listOf, textOf } from './references.ts'
import { noteOmitted, spendOnName } from './schema-budget.ts'
import { headerStyle, pathVariable, queryStyle } from './styles.ts'

/** The places of an operation's parameters in a request. */
export interface Placed {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
  /** Place → name → style, for the lists and objects. */
  readonly styles: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Lists of the query that are sent even if they are empty. */
  readonly keepEmpty: readonly string[]
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
  const variables = new Map(
    namesIn(inPath).map(name => [name, addPathParameter(name, parameters, placing)]),
  )
  const path = inPath.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => variables.get(name) ?? '')
  if (/[{}\s]/.test(path.replaceAll(/\{[.;]?\w+\*?\}/g, ''))) {
    throw new NotExpressible('has a path that is not a plain template')
  }
  const query = placeTemplateQuery(inQuery, parameters, placing)
  const placed = Object.values(PLACES).map(place => placeIn(place, parameters, placing))
  const [queries, headers, cookies] = placed.map(({ values }) => values)
  const styles = Object.keys(PLACES).map(
    (key, index) => [key, placed[index]?.styles ?? {}] as const,
  )
  return {
    path,
    query: { ...query, ...queries },
    headers: headers ?? {},
    cookies: cookies ?? {},
    styles: Object.fromEntries(styles.filter(([, own]) => Object.keys(own).length > 0)),
    keepEmpty: parameters.filter(isRequiredList).map(({ name }) => name),
  }
}

/** The keys of a section and of its `styles` → the place that OpenAPI names. */
const PLACES = { query: 'query', headers: 'header', cookies: 'cookie' } as const

/** The parameters of one place: their expressions, and the styles of lists and objects. */
function placeIn(
  place: 'query' | 'header' | 'cookie',
  parameters: readonly Parameter[],
  { members }: Placing,
) {
  const values: Record<string, string> = {}
  const styles: Record<string, string> = {}
  for (const parameter of parameters.filter(one => one.in === place)) {
    const name = place === 'header' ? parameter.name.toLowerCase() : parameter.name
    const member = members.add(parameter.name, place, parameter.schema, parameter.isRequired)
    values[name] = readExpression(member)
    const style = (place === 'query' ? queryStyle : headerStyle)(parameter)
    if (style !== null) styles[name] = style
  }
  return { values, styles }
}

function isRequiredList({ in: place, isRequired, schema }: Parameter): boolean {
  return place === 'query' && isRequired && schema.type === 'array' && schema.minItems === undefined
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
          : readExpression(addQueryVariable(variable, parameters, placing))
      return [name, sent]
    }),
  )
}

function readParameters(sources: readonly unknown[], placing: Placing): Parameter[] {
  const { context } = placing
  const found = new Map<string, Parameter>()
  const omitted = new Set<string>()
  for (const value of sources) {
    const source = deref(context.document, value)
    const name = textOf(source.name)
    if (name === null || isCovered(name, source, placing)) continue
    const fits = spendOnName(context.budget, name)
    const parameter = readParameter(name, source, context)
    if (fits || parameter.isRequired || parameter.in === 'path') {
      found.set(`${parameter.in} ${name}`, parameter)
    } else omitted.add(name)
  }
  noteOmitted(omitted, context.notes)
  return [...found.values()]
}

function readParameter(name: string, source: Json, context: SchemaContext): Parameter {
  const [content] = Object.values(isObject(source.content) ? source.content : {})
  const schema = convertSchema(source.schema ?? (isObject(content) ? content.schema : {}), context)
  return {
    name,
    in: textOf(source.in) ?? '',
    isRequired: source.required === true,
    source,
    schema: {
      ...schema,
      ...describedBy(source.description),
      ...(source.deprecated === true ? { deprecated: true } : {}),
    },
  }
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

/** Adds a variable of the path to the input. Returns how the path of the card names it. */
function addPathParameter(
  name: string,
  parameters: readonly Parameter[],
  placing: Placing,
): string {
  const { source = {}, schema } = pathParameter(name, parameters, placing)
  const isText = schema.type === 'string' && schema.minLength === undefined && !schema.enum
  const own = isText ? { ...schema, minLength: 1 } : schema
  const variable = pathVariable({ source, schema }, placing.members.add(name, 'path', own, true))
  if (variable !== null) return variable
  throw new NotExpressible(
    `has the path parameter ${name}, an object in a form that no card can send`,
  )
}

function pathParameter(
  name: string,
  parameters: readonly Parameter[],
  { context: { notes } }: Placing,
): { readonly source?: Json; readonly schema: JsonSchema } {
  const found = parameters.find(one => one.in === 'path' && one.name === name)
  if (found) return found
  notes.add(`The document does not describe {${name}} of the path; this card takes any text.`)
  return { schema: { type: 'string' } }
}

/** A variable in the query of a path, which the document describes as one of the path. */
function addQueryVariable(
  name: string,
  parameters: readonly Parameter[],
  placing: Placing,
): string {
  return placing.members.add(name, 'path', pathParameter(name, parameters, placing).schema, true)
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
