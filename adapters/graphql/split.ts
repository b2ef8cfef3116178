import type { ErrorCode } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { HttpResult } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import { isObject } from './errors.ts'
import { placeOf, prefixOf } from './merge.ts'

/** What the answer to a common query is to those who share it. */
export type Split =
  /** Each has its part of it. */
  | { readonly kind: 'parts'; readonly bodyOf: (place: number) => unknown }
  /** It says the same to all: the upstream is down, the quota used up, the credential refused. */
  | { readonly kind: 'whole' }
  /** It is about the common query, of which one part may be to blame, or the size: each has to ask alone. */
  | { readonly kind: 'apart' }

/** Refusals of the request as it was written, whoever wrote them. */
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 413, 414, 422, 431])

/** Failures that would meet each query alike. */
const ABOUT_ALL: ReadonlySet<ErrorCode> = new Set([
  'AUTH',
  'FORBIDDEN',
  'RATE_LIMIT',
  'TIMEOUT',
  'NETWORK',
  'SERVER',
  'NOT_READY',
])

/**
 * Judges the answer to a common query.
 * @param failureOf what a call would make of the whole answer, were it its own; null for a success.
 */
export function splitAnswer(result: HttpResult, failureOf: () => Failure | null): Split {
  if (!result.ok) return { kind: failureOf()?.code === 'TOO_LARGE' ? 'apart' : 'whole' }
  const json = readJson(result.text)
  const body = json.ok && isObject(json.value) ? json.value : {}
  if (isObject(body.data)) {
    const split = { ...body, data: body.data, errors: listOf(body.errors) }
    return { kind: 'parts', bodyOf: place => partOf(split, place) }
  }
  const isGraphql = 'data' in body || Array.isArray(body.errors)
  if (!isGraphql) return { kind: ABOUT_THE_REQUEST.has(result.status) ? 'apart' : 'whole' }
  // Where one field that must not be null is missing, the data of all the others are gone as well.
  const isOnes = listOf(body.errors).some(error => placeOfError(error) !== null)
  const code = failureOf()?.code
  return { kind: !isOnes && code && ABOUT_ALL.has(code) ? 'whole' : 'apart' }
}

interface CommonBody {
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly unknown[]
}

/** The body that this query would have got by itself. An error that names no field is everybody's. */
function partOf({ data, errors, ...rest }: CommonBody, place: number): unknown {
  const prefix = prefixOf(place)
  const own = Object.entries(data)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value] as const)
  const ownErrors = errors
    .filter(error => (placeOfError(error) ?? place) === place)
    .map(error => withoutPrefix(error, prefix))
  return {
    ...rest,
    data: Object.fromEntries(own),
    ...(ownErrors.length > 0 ? { errors: ownErrors } : {}),
  }
}

function placeOfError(error: unknown): number | null {
  return isObject(error) && Array.isArray(error.path) ? placeOf(error.path[0]) : null
}

function withoutPrefix(error: unknown, prefix: string): unknown {
  if (!isObject(error) || !Array.isArray(error.path)) return error
  const [root, ...below] = error.path as unknown[]
  return { ...error, path: [String(root).replace(prefix, ''), ...below] }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
