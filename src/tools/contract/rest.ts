import { isObject } from '../../lib/is-object.ts'
import type { KeyPath } from '../../lib/yaml-source.ts'
import type { RestCall } from './calls.ts'
import { evaluate, type Scope, UNKNOWN, withoutUnknown } from './evaluate.ts'
import { ANY, type OpenApi, type Operation, type Segment, WORD } from './openapi.ts'
import { membersOf } from './properties.ts'

export type Report = (path: KeyPath, message: string, fix: string) => void

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Checks one REST call of a card: that there is such an endpoint, and that it takes what is sent. */
export function checkRestCall(
  openApi: OpenApi,
  call: RestCall,
  scopes: readonly Scope[],
  report: Report,
): void {
  const { method, templates } = call
  if (typeof method !== 'string' || !METHODS.includes(method)) {
    return report(call.at, 'is called without a method', `Add options: { method: "'GET'" }.`)
  }
  if (templates.length === 0) {
    return report(call.at, 'names no path that can be read', "Write uri('path/{name}', {name: …}).")
  }
  for (const template of templates) {
    const { paths, looked, names } = readTemplate(template, call.target)
    const find = (all: readonly Segment[][]) =>
      all.flatMap(segments => openApi.find(method, segments))
    const plain = find(paths)
    const operations = plain.length > 0 ? plain : find(looked)
    if (operations.length === 0) {
      const message = `calls ${method} ${template}, which GitHub does not have`
      report(call.at, message, hint(openApi, paths[0] ?? []))
      continue
    }
    // Where a variable stands for several segments or for a word of the path, more than one endpoint may
    // be meant: the best fit is.
    const isOpen = paths.length > 1 || plain.length === 0
    const faults = (isOpen ? operations : operations.slice(0, 1)).map(operation => {
      const found: Parameters<Report>[] = []
      const note: Report = (...fault) => void found.push(fault)
      checkQuery(openApi, operation, call, names, scopes, note)
      checkBody(openApi, operation, call, scopes, note)
      return found
    })
    const [fewest = []] = faults.toSorted((a, b) => a.length - b.length)
    for (const fault of fewest) report(...fault)
  }
}

function hint(openApi: OpenApi, segments: readonly Segment[]): string {
  const methods = openApi.methodsOf(segments).filter(name => METHODS.includes(name))
  return methods.length > 0
    ? `This path takes ${methods.join(', ')}.`
    : 'Correct the path; https://docs.github.com/rest lists them all.'
}

interface ReadTemplate {
  readonly paths: Segment[][]
  /** The same where what a lookup told may be a word of the path: `orgs` or `users`. Empty without such. */
  readonly looked: Segment[][]
  readonly names: string[]
}

function readTemplate(template: string, target: string | null): ReadTemplate {
  const names = [...template.matchAll(/\{[?&]([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  )
  const [path = '', query = ''] = template.replaceAll(/\{[?&][^}]*\}/g, '').split('?')
  const literal = [...new URLSearchParams(query).keys()]
  const segments = path.replace(/^\//, '').split('/')
  return {
    paths: pathsOf(segments),
    looked: segments.some(segment => isLookedUp(segment, target))
      ? pathsOf(segments, segment => isLookedUp(segment, target))
      : [],
    names: [...names.map(name => name.replace('*', '')), ...literal],
  }
}

/** Whether a segment is a variable with the value of a lookup: `{lookup.…}`, or `{kind}` of `kind: lookup.…`. */
function isLookedUp(segment: string, target: string | null): boolean {
  const [, name] = /^\{([\w.]+)\}$/.exec(segment) ?? []
  if (name === undefined) return false
  return target === null
    ? name.startsWith('lookup.')
    : new RegExp(`\\b${name}:\\s*lookup\\.`).test(target)
}

const MOST_SEGMENTS = 3

/** `{+path}` may stand for several segments. */
function pathsOf(
  [first, ...others]: readonly string[],
  isWord: (segment: string) => boolean = () => false,
): Segment[][] {
  if (first === undefined) return [[]]
  const rest = pathsOf(others, isWord)
  if (!/\{[+#]/.test(first)) {
    const literal = first.includes('{') ? null : first
    const segment = isWord(first) ? WORD : literal
    return rest.map(path => [segment, ...path])
  }
  return Array.from({ length: MOST_SEGMENTS }, (_, extra) => Array(extra + 1).fill(ANY)).flatMap(
    many => rest.map(path => [...(many as Segment[]), ...path]),
  )
}

function checkQuery(
  openApi: OpenApi,
  operation: Operation,
  call: RestCall,
  names: readonly string[],
  scopes: readonly Scope[],
  report: Report,
): void {
  const parameters = parametersOf(openApi, operation)
  const place = (name: string): KeyPath => (call.query ? [...call.query.at, name] : call.at)
  const given = new Set([...names, ...Object.keys((call.query?.tree ?? {}) as object)])
  for (const name of given) {
    if (parameters.has(name)) continue
    const known = [...parameters.keys()].join(', ') || 'none'
    const message = `sends the parameter ${name}, which ${operation.method} ${operation.path} does not take`
    report(place(name), message, `Use one of: ${known}.`)
  }
  for (const [name, { required }] of parameters) {
    if (required && !given.has(name)) {
      report(call.at, `lacks the parameter ${name}`, `${operation.path} requires it.`)
    }
  }
  for (const [name, value] of scopes.flatMap(scope => sentParameters(call, scope))) {
    const parameter = parameters.get(name)
    const faults = parameter ? openApi.validate(`${parameter.pointer}/schema`, value) : []
    for (const fault of faults) {
      report(
        place(name),
        `sends ${name}=${String(value)}: ${fault}`,
        'Send a value that GitHub takes.',
      )
    }
  }
}

function parametersOf(openApi: OpenApi, { pointer }: Operation) {
  const found = new Map<string, { pointer: string; required: boolean }>()
  for (const place of [pointer.slice(0, pointer.lastIndexOf('/')), pointer]) {
    const list = (openApi.resolve(place).value.parameters ?? []) as unknown[]
    for (const index of list.keys()) {
      const { pointer: own, value } = openApi.resolve(`${place}/parameters/${index}`)
      if (value.in !== 'query') continue
      found.set(String(value.name), { pointer: own, required: value.required === true })
    }
  }
  return found
}

/** The parameters with the values that are sent for a sample; what only a call could tell is left out. */
function sentParameters({ query, target }: RestCall, scope: Scope): [string, unknown][] {
  if (query) {
    const values = Object.entries(evaluate(query.tree, scope) as object)
    return values.filter(([, value]) => value !== UNKNOWN)
  }
  const sent = target === null ? UNKNOWN : evaluate(target, scope)
  if (typeof sent !== 'string' || !sent.includes('?')) return []
  const parameters = new URLSearchParams(sent.slice(sent.indexOf('?') + 1))
  return [...parameters].map(([name, text]) => [name, typed(text)])
}

/** A URL has only texts: one that looks like a number or a truth value may be meant as one. */
function typed(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text
}

function checkBody(
  openApi: OpenApi,
  operation: Operation,
  { body, at }: RestCall,
  scopes: readonly Scope[],
  report: Report,
): void {
  const request = openApi.resolve(`${operation.pointer}/requestBody`)
  const content = (request.value.content ?? {}) as Record<string, unknown>
  if (!body) {
    if (request.value.required) report(at, 'sends no body', `${operation.path} requires one.`)
    return
  }
  if (!content['application/json']) {
    const message = `sends a body, which ${operation.method} ${operation.path} does not take`
    return report(body.at, message, 'Remove it.')
  }
  const schema = `${request.pointer}/content/application~1json/schema`
  for (const scope of scopes)
    checkValue(openApi, schema, evaluate(body.tree, scope), body.at, report)
}

/** Names first: schemas do not refuse members that they do not know, and GitHub ignores them. */
function checkValue(
  openApi: OpenApi,
  pointer: string,
  value: unknown,
  at: KeyPath,
  report: Report,
): void {
  if (value === UNKNOWN) return
  if (!isObject(value)) {
    for (const fault of openApi.validate(pointer, value)) {
      report(at, `sends ${JSON.stringify(value)}: ${fault}`, 'Send a value that GitHub takes.')
    }
    return
  }
  const members = membersOf(openApi, pointer)
  for (const [name, item] of Object.entries(value)) {
    const schemas = members.schemas.get(name)
    if (!schemas && members.open) continue
    if (!schemas) {
      const known = [...members.schemas.keys()].join(', ') || 'none'
      report([...at, name], 'is a member that GitHub does not take', `Use one of: ${known}.`)
    } else if (schemas.length === 1) {
      checkValue(openApi, schemas[0] as string, item, [...at, name], report)
    } else if (item !== UNKNOWN) {
      const own = withoutUnknown(item)
      if (schemas.some(schema => openApi.validate(schema, own).length === 0)) continue
      const message = `sends ${JSON.stringify(own)}, which none of its alternatives takes`
      report([...at, name], message, 'Send a value that GitHub takes.')
    }
  }
  for (const name of members.required) {
    if (!(name in value)) report(at, `lacks ${name}`, 'GitHub requires it; add it.')
  }
}
