import { isObject } from '../../src/lib/is-object.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { HttpResult } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import { isGraphqlBody } from './errors.ts'
import { placeOf, prefixOf } from './merge.ts'

/** How to hand out the answer to a merged query. */
export type Split =
  /** Each call gets its part. */
  | { readonly kind: 'parts'; readonly bodyOf: (place: number) => unknown }
  /** The answer applies to every call: upstream down, quota exhausted, credential refused. */
  | { readonly kind: 'whole' }
  /** One part or the size of the merged query may be at fault: send each call alone. */
  | { readonly kind: 'separate' }

/** Statuses that reject the request itself. */
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 413, 414, 422, 431])

/** Failures that every query would get. */
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
 * Judges the answer to a merged query.
 * @param failureOf reads the whole answer as if it answered a single call; null for a success
 */
export function splitAnswer(result: HttpResult, failureOf: () => Failure | null): Split {
  if (!result.ok) return wholeIf(failureOf()?.code !== 'TOO_LARGE')
  const json = readJson(result.text)
  const body = json.ok ? json.value : null
  if (!isGraphqlBody(body)) return wholeIf(!ABOUT_THE_REQUEST.has(result.status))
  if (isObject(body.data)) {
    const merged = { ...body, data: body.data, errors: listOf(body.errors) }
    return { kind: 'parts', bodyOf: place => partOf(merged, place) }
  }
  // One null in a non-null root field nulls the data of all queries.
  const isOfOne = listOf(body.errors).some(error => placeOfError(error) !== null)
  const code = failureOf()?.code
  return wholeIf(!isOfOne && code !== undefined && ABOUT_ALL.has(code))
}

function wholeIf(appliesToAll: boolean): Split {
  return { kind: appliesToAll ? 'whole' : 'separate' }
}

interface MergedBody {
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly unknown[]
}

/** The body that this query would have got alone. An error without a path belongs to every query. */
function partOf({ data, errors, ...rest }: MergedBody, place: number): unknown {
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
