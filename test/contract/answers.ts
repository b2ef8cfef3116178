import type { SeenAnswer } from '../../sandbox/index.ts'
import type { OpenApi, Operation } from '../../src/tools/contract/openapi.ts'
import { membersOf } from '../../src/tools/contract/properties.ts'

/** What GitHub's published schemas say about one exchange with the sandbox; empty when nothing. */
export function answerFaults(openApi: OpenApi, seen: SeenAnswer): string[] {
  if (seen.route === 'graphql') return []
  const segments = seen.path.slice(1).split('/').map(decodeURIComponent)
  // What can be read can be asked about without its body.
  const isHead = seen.method === 'HEAD'
  const [operation] = openApi.find(isHead ? 'GET' : seen.method, segments)
  // What does not exist on GitHub must not be answered here either.
  if (!operation) return seen.status === 404 ? [] : [`${place(seen)} is no endpoint of GitHub`]
  if (isHead) return []
  const faults = [
    ...requestFaults(openApi, operation, seen),
    ...bodyFaults(openApi, operation, seen),
  ]
  return faults.map(fault => `${seen.method} ${operation.path} ${seen.status}: ${fault}`)
}

function place({ method, path, status }: SeenAnswer): string {
  return `${method} ${path} (answered ${status})`
}

/** A body that GitHub would refuse must not be taken. */
function requestFaults(openApi: OpenApi, { pointer }: Operation, seen: SeenAnswer): string[] {
  const body = openApi.resolve(`${pointer}/requestBody`)
  const schema = `${body.pointer}/content/application~1json/schema`
  if (seen.status >= 300 || seen.request === '' || !isDescribed(openApi, schema)) return []
  return openApi.validate(schema, JSON.parse(seen.request)).map(fault => `the request: ${fault}`)
}

function bodyFaults(openApi: OpenApi, { pointer }: Operation, seen: SeenAnswer): string[] {
  const response = openApi.resolve(`${pointer}/responses/${seen.status}`)
  if (Object.keys(response.value).length === 0) {
    return seen.status < 300 ? ['GitHub does not answer with this status'] : []
  }
  const schema = `${response.pointer}/content/application~1json/schema`
  if (!isDescribed(openApi, schema) || !seen.contentType.includes('json')) return []
  const value: unknown = JSON.parse(seen.answer)
  const unknown = seen.status < 300 ? [...unknownMembers(openApi, schema, value, '')] : []
  return [...new Set([...openApi.validate(schema, value), ...unknown])]
}

function isDescribed(openApi: OpenApi, pointer: string): boolean {
  return Object.keys(openApi.resolve(pointer).value).length > 0
}

/**
 * Members that GitHub's schema does not have: a card that reads one would work on the sandbox only.
 * Lists are looked at by their first items.
 */
function* unknownMembers(
  openApi: OpenApi,
  pointer: string,
  value: unknown,
  path: string,
): Generator<string> {
  if (Array.isArray(value)) {
    const items = `${openApi.resolve(pointer).pointer}/items`
    if (!isDescribed(openApi, items)) return
    for (const item of value.slice(0, 3)) yield* unknownMembers(openApi, items, item, `${path}/*`)
    return
  }
  if (value === null || typeof value !== 'object') return
  const { schemas, open } = membersOf(openApi, pointer)
  for (const [name, member] of Object.entries(value)) {
    const [schema, other] = schemas.get(name) ?? []
    if (schema === undefined) {
      if (!open) yield `${path}/${name} is no member that GitHub has`
    } else if (other === undefined) {
      yield* unknownMembers(openApi, schema, member, `${path}/${name}`)
    }
  }
}
