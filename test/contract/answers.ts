import type { SeenAnswer } from '../../sandbox/index.ts'
import { isObject } from '../../src/lib/is-object.ts'
import type { OpenApi, Operation } from '../../src/tools/contract/openapi.ts'
import { describedMembers } from '../../src/tools/contract/properties.ts'

/** Compares one exchange with the sandbox with GitHub's published schemas. Returns the differences. */
export function answerFaults(openApi: OpenApi, seen: SeenAnswer): string[] {
  if (seen.route === 'graphql') return []
  const segments = seen.path.slice(1).split('/').map(decodeURIComponent)
  // GitHub answers HEAD wherever it answers GET, but describes GET only.
  const isHead = seen.method === 'HEAD'
  const [operation] = openApi.find(isHead ? 'GET' : seen.method, segments)
  // The sandbox must not answer where GitHub has no endpoint.
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

/** Nulls that take something away and that a schema lacks: the path of the request, and the fault. */
const NULLS = [
  // The description of the body says so.
  { path: /^\/gists\//, fault: /^\/files\/.* must be object$/ },
  // The page of a milestone and GitHub's clients clear its date in this way.
  { path: /\/milestones\/\d+$/, fault: /^\/due_on must be string$/ },
]

/** The sandbox must refuse a body that GitHub would refuse. */
function requestFaults(openApi: OpenApi, { pointer }: Operation, seen: SeenAnswer): string[] {
  const body = openApi.resolve(`${pointer}/requestBody`)
  const schema = `${body.pointer}/content/application~1json/schema`
  if (seen.status >= 300 || seen.request === '' || !isDescribed(openApi, schema)) return []
  return openApi
    .validate(schema, JSON.parse(seen.request))
    .filter(fault => !NULLS.some(one => one.path.test(seen.path) && one.fault.test(fault)))
    .map(fault => `the request: ${fault}`)
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
 * Finds members that GitHub's schema lacks: a card that reads one would work on the sandbox only. Checks
 * the first items of a list only.
 */
function* unknownMembers(
  openApi: OpenApi,
  pointer: string,
  value: unknown,
  path: string,
): Generator<string> {
  if (Array.isArray(value)) yield* unknownItemMembers(openApi, pointer, value, path)
  if (!isObject(value)) return
  const { schemas, open } = describedMembers(openApi, pointer)
  for (const [name, member] of Object.entries(value)) {
    const [schema, other] = schemas.get(name) ?? []
    if (schema === undefined) {
      if (!open) yield `${path}/${name} is not a member that GitHub describes`
    } else if (other === undefined) {
      yield* unknownMembers(openApi, schema, member, `${path}/${name}`)
    }
  }
}

function* unknownItemMembers(
  openApi: OpenApi,
  pointer: string,
  list: readonly unknown[],
  path: string,
): Generator<string> {
  const items = `${openApi.resolve(pointer).pointer}/items`
  if (!isDescribed(openApi, items)) return
  for (const item of list.slice(0, 3)) yield* unknownMembers(openApi, items, item, `${path}/*`)
}
