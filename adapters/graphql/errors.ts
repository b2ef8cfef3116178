import { isObject } from '../../src/lib/is-object.ts'
import { shorten } from '../../src/lib/text.ts'
import type { FieldProblem } from '../../src/model/card.ts'
import { NOT_ACCEPTED } from '../failures/read/error-body.ts'

/** One entry of `errors`, read leniently because servers put the parts in different places. */
export interface GraphqlError {
  readonly message: string
  /** Machine-readable codes, most specific first. */
  readonly codes: readonly string[]
  readonly path: readonly (string | number)[] | null
  readonly hasLocation: boolean
  /** The HTTP status of the service behind the GraphQL server. */
  readonly status: number | null
}

export interface GraphqlBody {
  readonly hasData: boolean
  readonly data: unknown
  readonly errors: readonly GraphqlError[]
  readonly extensions: unknown
}

const MAX_ERRORS = 50
/** Cut texts before a pattern looks at them. */
const MAX_TEXT = 2000
const MAX_NAME = 200
const MAX_PARTS = 10
const MAX_PATH = 50

/** Reads a GraphQL body; null if this is not one. */
export function readGraphqlBody(body: unknown): GraphqlBody | null {
  if (!isGraphqlBody(body)) return null
  const errors = Array.isArray(body.errors) ? body.errors.slice(0, MAX_ERRORS) : []
  // Only an object or null is data.
  const data = isObject(body.data) ? body.data : null
  return {
    hasData: 'data' in body && data === (body.data ?? null),
    data,
    errors: errors.map(readError),
    extensions: body.extensions,
  }
}

/** Whether a body has the form of a GraphQL answer: data or a list of errors. */
export function isGraphqlBody(body: unknown): body is Readonly<Record<string, unknown>> {
  return isObject(body) && ('data' in body || Array.isArray(body.errors))
}

function readError(error: unknown): GraphqlError {
  if (!isObject(error)) {
    const message = textOf(String(error))
    return { message, codes: [], path: null, hasLocation: false, status: null }
  }
  const extensions = isObject(error.extensions) ? error.extensions : {}
  const exception = isObject(extensions.exception) ? extensions.exception : {}
  // GitHub and AppSync put the code beside the message; Apollo and most others, under extensions.
  const codes = [
    error.type,
    error.errorType,
    extensions.code,
    extensions.type,
    extensions.errorType,
    extensions.errorCode,
    extensions.errorClass,
    extensions.classification,
    exception.code,
    error.code,
    ...ownCodes(extensions),
    // Absinthe's changesets: `message: "not_found"`.
    ...(isName(error.message) ? [error.message] : []),
  ]
  return {
    // Old servers have no message, but an error.
    message: textOf(error.message ?? error.error),
    codes: codes.flatMap(code => (typeof code === 'string' ? shorten(code, MAX_NAME) : [])),
    path: pathOf(error.path),
    hasLocation: Array.isArray(error.locations) && error.locations.length > 0,
    status: statusIn(extensions),
  }
}

/** Codes in a service's own part of the extensions: `extensions: {contentful: {code}}`. */
function ownCodes(extensions: Readonly<Record<string, unknown>>): unknown[] {
  return Object.values(extensions)
    .slice(0, MAX_PARTS)
    .flatMap(part => (isObject(part) ? [part.code] : []))
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[a-zA-Z]{2,30}(?:_[a-zA-Z]{2,30}){1,6}$/.test(value)
}

/** Apollo puts the status into `http` or `response`, others beside the code. */
function statusIn(extensions: Readonly<Record<string, unknown>>): number | null {
  const { http, response } = extensions
  const places = [extensions, isObject(http) ? http : {}, isObject(response) ? response : {}]
  const found = places
    .flatMap(({ status, statusCode, status_code }) => [status, statusCode, status_code])
    .find(value => typeof value === 'number' && value >= 400 && value < 600)
  return typeof found === 'number' ? found : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? shorten(value, MAX_TEXT) : ''
}

function pathOf(path: unknown): (string | number)[] | null {
  if (!Array.isArray(path)) return null
  return path.slice(0, MAX_PATH).map(key => (typeof key === 'number' ? key : textOf(key)))
}

/** Errors that a mutation returns as data, usually with null in place of its object. */
export interface PayloadErrors {
  readonly field: string
  readonly messages: readonly string[]
  readonly codes: readonly string[]
  readonly fields: readonly FieldProblem[]
  /** Whether the payload also holds an object. */
  readonly hasResult: boolean
}

/**
 * Finds `errors: ["…"]` (GitLab) and `userErrors: [{field, message, code}]` (Shopify) in the payloads of
 * a mutation. Such an answer has status 200 and no top-level errors, although nothing was applied.
 */
export function payloadErrors(data: unknown): PayloadErrors | null {
  if (!isObject(data)) return null
  for (const [field, payload] of Object.entries(data)) {
    if (!isObject(payload)) continue
    const lists = Object.entries(payload).filter(([name]) =>
      /^(errors|\w*[uU]serErrors)$/.test(name),
    )
    const errors = lists.flatMap(([, list]) => (Array.isArray(list) ? list : []))
    if (errors.length > 0)
      return { field, ...readPayload(errors.slice(0, MAX_ERRORS)), hasResult: hasResult(payload) }
  }
  return null
}

function readPayload(errors: readonly unknown[]): Omit<PayloadErrors, 'field' | 'hasResult'> {
  const messages: string[] = []
  const codes: string[] = []
  const fields: FieldProblem[] = []
  for (const error of errors) {
    if (!isObject(error)) {
      messages.push(textOf(String(error)))
      continue
    }
    const message = typeof error.message === 'string' ? textOf(error.message) : NOT_ACCEPTED
    const path = pathText(error.field ?? error.path)
    messages.push(message)
    if (typeof error.code === 'string') codes.push(shorten(error.code, MAX_NAME))
    if (path !== '') fields.push({ path, message })
  }
  return { messages, codes, fields }
}

function pathText(path: unknown): string {
  return [path]
    .flat()
    .slice(0, MAX_PATH)
    .filter(key => typeof key === 'string' || typeof key === 'number')
    .map(key => shorten(String(key), MAX_NAME))
    .join('.')
}

function hasResult(payload: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(payload).some(
    ([name, value]) => isObject(value) && name !== '__typename' && !/errors$/i.test(name),
  )
}
