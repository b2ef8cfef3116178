import { isObject } from '../../lib/is-object.ts'
import type { KeyPath } from '../../lib/yaml-source.ts'
import { evaluate, UNKNOWN, withoutUnknown } from './evaluate.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { describedMembers } from './properties.ts'
import type { ReportFault } from './report-fault.ts'
import type { RestCheck } from './rest-check.ts'

const FIX = 'Send a value that GitHub accepts.'

/** Checks the request body of a call in every scope. */
export function checkBody(
  { openApi, call: { body, at }, scopes, report }: RestCheck,
  operation: Operation,
): void {
  const request = openApi.resolve(`${operation.pointer}/requestBody`)
  if (!body) {
    if (request.value.required) report(at, 'sends no body', `${operation.path} requires one.`)
    return
  }
  const content = (request.value.content ?? {}) as Record<string, unknown>
  // Bytes have no schema.
  if (content['application/octet-stream']) return
  if (!content['application/json']) {
    const message = `sends a body, which ${operation.method} ${operation.path} does not take`
    return report(body.at, message, 'Remove it.')
  }
  const schema = `${request.pointer}/content/application~1json/schema`
  for (const scope of scopes) {
    checkValue({ openApi, report }, schema, evaluate(body.tree, scope), body.at)
  }
}

interface BodyCheck {
  readonly openApi: OpenApi
  readonly report: ReportFault
}

/** Compares names too: neither the schemas nor GitHub itself refuse unknown members. */
function checkValue(check: BodyCheck, pointer: string, value: unknown, at: KeyPath): void {
  const { openApi, report } = check
  if (value === UNKNOWN) return
  if (!isObject(value)) {
    for (const fault of openApi.validate(pointer, value)) {
      report(at, `sends ${JSON.stringify(value)}: ${fault}`, FIX)
    }
    return
  }
  const { schemas, required, open } = describedMembers(openApi, pointer)
  for (const [name, item] of Object.entries(value)) {
    const own = schemas.get(name)
    if (own) {
      checkMember(check, own, item, [...at, name])
    } else if (!open) {
      const known = [...schemas.keys()].join(', ') || 'none'
      report([...at, name], 'is a member that GitHub does not take', `Use one of: ${known}.`)
    }
  }
  for (const name of required) {
    if (!(name in value)) report(at, `lacks ${name}`, 'Add it; GitHub requires it.')
  }
}

function checkMember(
  check: BodyCheck,
  [schema = '', ...others]: readonly string[],
  item: unknown,
  at: KeyPath,
): void {
  if (others.length === 0) return checkValue(check, schema, item, at)
  if (item === UNKNOWN) return
  const value = withoutUnknown(item)
  const fits = (pointer: string) => check.openApi.validate(pointer, value).length === 0
  if ([schema, ...others].some(fits)) return
  check.report(at, `sends ${JSON.stringify(value)}, which fits none of its alternatives`, FIX)
}
