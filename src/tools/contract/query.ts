import type { KeyPath } from '../../lib/yaml-source.ts'
import type { RestCall } from './calls.ts'
import { evaluate, type Scope, UNKNOWN } from './evaluate.ts'
import type { OpenApi, Operation } from './openapi.ts'
import type { RestCheck } from './rest-check.ts'

interface Parameter {
  readonly pointer: string
  readonly required: boolean
}

type QueryParameters = ReadonlyMap<string, Parameter>

/** Checks the names and values of the query parameters. `names` are those in the URI template. */
export function checkQuery(check: RestCheck, operation: Operation, names: readonly string[]): void {
  const { openApi, call } = check
  const parameters = parametersOf(openApi, operation)
  const given = new Set([...names, ...Object.keys((call.query?.tree ?? {}) as object)])
  checkNames(check, operation, parameters, given)
  checkValues(check, parameters)
}

function checkNames(
  { call, report }: RestCheck,
  { method, path }: Operation,
  parameters: QueryParameters,
  given: ReadonlySet<string>,
): void {
  for (const name of given) {
    if (parameters.has(name)) continue
    const known = [...parameters.keys()].join(', ') || 'none'
    const message = `sends the parameter ${name}, which ${method} ${path} does not take`
    report(placeOf(name, call), message, `Use one of: ${known}.`)
  }
  for (const [name, { required }] of parameters) {
    if (!required || given.has(name)) continue
    report(call.at, `lacks the parameter ${name}`, `${path} requires it.`)
  }
}

function checkValues(
  { openApi, call, scopes, report }: RestCheck,
  parameters: QueryParameters,
): void {
  for (const [name, value] of scopes.flatMap(scope => sentParameters(call, scope))) {
    const parameter = parameters.get(name)
    const faults = parameter ? openApi.validate(`${parameter.pointer}/schema`, value) : []
    for (const fault of faults) {
      const message = `sends ${name}=${String(value)}: ${fault}`
      report(placeOf(name, call), message, 'Send a value that GitHub accepts.')
    }
  }
}

function placeOf(name: string, { query, at }: RestCall): KeyPath {
  return query ? [...query.at, name] : at
}

function parametersOf(openApi: OpenApi, { pointer }: Operation): QueryParameters {
  const found = new Map<string, Parameter>()
  // The path may describe parameters for all of its operations.
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

/** The parameters that the call sends in this scope, without those whose values are unknown. */
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

/** A URL holds text only, so read a number or a boolean as the schema would mean it. */
function typed(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text
}
