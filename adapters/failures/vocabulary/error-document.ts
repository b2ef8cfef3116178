import { isObject } from '../../../src/lib/is-object.ts'
import { readErrorBody, wrappedIn } from '../read/error-body.ts'
import { meaningOfCode } from './machine-code.ts'
import { CODE_MEMBERS, MESSAGE_MEMBERS } from './members.ts'

/** A failure that a service reports in a body, under a status of success. */
export interface ErrorDocument {
  /** The HTTP status that the body names. */
  readonly status: number | null
  /** The party that the document blames: JSend's `fail` is the caller's, `error` the service's. */
  readonly blames: 'caller' | 'service' | null
  readonly codes: readonly string[]
  readonly messages: readonly string[]
}

type Members = Readonly<Record<string, unknown>>

const NOTHING_ASKED: ReadonlySet<string> = new Set()

/**
 * Recognizes an error document by its shape alone: `{"error": …}`, `success: false`, JSend, `errcode` with a message,
 * JSON-RPC, GraphQL errors, SOAP faults in JSON. Null for anything else.
 * @param asked members that the card's output asks for. They are data, so they are no evidence.
 */
export function readErrorDocument(
  body: unknown,
  asked: ReadonlySet<string> = NOTHING_ASKED,
): ErrorDocument | null {
  if (!isObject(body)) return null
  const names = Object.keys(body)
  if (isSameList(names, harmless.get(asked))) return null
  const found = documentOf(body, asked) ?? wrappedDocument(body, asked)
  if (found === null && isHarmless(names, asked)) harmless.set(asked, names)
  return found
}

/** The names in the last body of a card that were no sign of a failure by themselves: its next body mostly has the same. */
const harmless = new WeakMap<ReadonlySet<string>, readonly string[]>()

/** Whether no body with these names is an error document, whatever their values are. */
function isHarmless(names: readonly string[], asked: ReadonlySet<string>): boolean {
  return names.some(name => asked.has(name)) && !names.some(name => SIGNS.has(name))
}

function isSameList(one: readonly string[], other: readonly string[] | undefined): boolean {
  if (other === undefined || one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

/** An error document one level down. It must have nothing else in it: a success may wrap a thing with an error. */
function wrappedDocument(body: Members, asked: ReadonlySet<string>): ErrorDocument | null {
  if (Object.keys(body).some(name => asked.has(name))) return null
  const inner = wrappedIn(body)
  return inner !== null && isEnvelope(inner) ? documentOf(inner, NOTHING_ASKED) : null
}

function documentOf(body: Members, asked: ReadonlySet<string>): ErrorDocument | null {
  if (!hasEvidence(body)) return null
  const evidence = EVIDENCE.filter(name => Object.hasOwn(body, name) && !asked.has(name))
  if (evidence.length === 0) return null
  const members = Object.fromEntries(evidence.map(name => [name, body[name]]))
  if (!SHAPES.some(isShaped => isShaped(members, body))) return null
  const { codes, messages } = readErrorBody(body)
  return { status: statusOf(body), blames: blamedBy(members), codes, messages }
}

/** Each looks at the evidence that the card does not ask for, and at the whole body. */
const SHAPES: readonly ((members: Members, body: Members) => boolean)[] = [
  hasError,
  // GraphQL over REST, and lists of problems. Beside data they are a part of the answer.
  ({ errors }, body) => Array.isArray(errors) && errors.length > 0 && !hasPayload(body),
  members => FALSE_FLAGS.some(name => members[name] === false),
  members => TRUE_FLAGS.some(name => members[name] === true),
  isJsend,
  hasFailedCode,
  // SOAP and its gateways; AWS Lambda; AWS JSON protocols.
  members => isObject(members.fault) || isObject(members.Fault) || isText(members.faultstring),
  (members, body) =>
    isText(members.errorMessage) && (isText(members.errorType) || isEnvelope(body)),
  (members, body) =>
    isText(members.__type) && /(?:Exception|Error|Fault)$/.test(members.__type) && isEnvelope(body),
]

const FALSE_FLAGS = ['success', 'ok', 'succeeded', 'isSuccess', 'is_success', 'successful']
const TRUE_FLAGS = ['isError', 'is_error', 'hasError', 'has_error']

/** `{"error": "…"}` or `{"error": {…}}`, also beside an empty payload. An error beside data is a part of the answer. */
function hasError(members: Members, body: Members): boolean {
  if (isThing(body)) return false
  const error = members.error ?? members.Error
  if (isText(error) || (isObject(error) && Object.keys(error).length > 0)) return !hasPayload(body)
  return error === true && hasMessage(body)
}

/** Whether the body is an object of the service, such as a job that failed: its `error` is data. */
function isThing(body: Members): boolean {
  return !Object.hasOwn(body, 'jsonrpc') && THING_MEMBERS.some(name => Object.hasOwn(body, name))
}

const THING_MEMBERS = [
  'id',
  '_id',
  'uuid',
  'created_at',
  'createdAt',
  'finished_at',
  'finishedAt',
  'started_at',
]

/** https://github.com/omniti-labs/jsend. A status alone may be that of a thing, such as a failed run. */
function isJsend({ status }: Members, body: Members): boolean {
  return isText(status) && /^(?:error|fail)$/i.test(status) && isEnvelope(body)
}

function blamedBy({ status }: Members): ErrorDocument['blames'] {
  if (typeof status !== 'string') return null
  if (/^fail$/i.test(status)) return 'caller'
  return /^error$/i.test(status) ? 'service' : null
}

/** Codes may also be numbers here: 0 says that all is well. */
const CODES = [...CODE_MEMBERS, 'errno', 'ret', 'retcode']

/** Each shape needs one of these members. Nearly every success lacks them all, and must not pay for the shapes. */
const EVIDENCE = [
  ...FALSE_FLAGS,
  ...TRUE_FLAGS,
  ...CODES,
  'error',
  'Error',
  'errors',
  'status',
  'fault',
  'Fault',
  'faultstring',
  'errorMessage',
  'errorType',
  '__type',
]

const SIGNS = new Set(EVIDENCE)

/** Cheaper than to look at the names of the body. */
function hasEvidence(body: Members): boolean {
  for (const name of EVIDENCE) {
    if (body[name] !== undefined) return true
  }
  return false
}

/** A code other than zero or a status of success, with a message and nothing else to say. */
function hasFailedCode(members: Members, body: Members): boolean {
  return (
    CODES.some(name => isFailedCode(members[name])) &&
    MESSAGES.some(name => isText(body[name]) && !SUCCESS.test(body[name])) &&
    isEnvelope(body)
  )
}

const SUCCESS = /^(?:ok|okay|success\w*|succe\w*|done|created|accepted)\b/i

function isFailedCode(code: unknown): boolean {
  if (isText(code) && /^-?\d+$/.test(code)) return isFailedCode(Number(code))
  if (typeof code === 'number') return code !== 0 && !(code >= 200 && code < 300)
  return isText(code) && (meaningOfCode(code) !== null || /^E(?:RR(?:OR)?)?[-_]?\d/i.test(code))
}

const MESSAGES = [...MESSAGE_MEMBERS, 'reason', 'info']

function hasMessage(body: Members): boolean {
  return MESSAGES.some(name => isText(body[name]))
}

/** Members of error documents that are no data. */
const ENVELOPE = new Set([
  ...MESSAGES,
  ...CODES,
  ...FALSE_FLAGS,
  ...TRUE_FLAGS,
  ...`error Error errors status statusCode status_code httpStatus http_status type __type details detail data result
    help_url help documentation_url doc_url url_doc more_info moreInfo instance path method timestamp time date request_id
    requestId RequestId request_log_url requestID req_id trace_id traceId traceID correlation_id correlationId log_id
    jsonrpc meta metadata extensions error_data error_info errorInfo retry_after retryAfter ratelimit param fields violations
    causes category severity subcode sub_code sub_msg error_subcode fbtrace_id api_version apiVersion
    warnings hint account_id display_message`.split(/\s+/),
])

/** Members that hold the answer of a success. */
const PAYLOADS = ['data', 'result', 'results', 'items', 'value', 'payload', 'response']

/** Whether a body has only members of error documents, and no answer among them. */
function isEnvelope(body: Members): boolean {
  const { data, ...others } = body
  // JSend's fail holds the problems of each field in `data`.
  return (
    Object.keys(others).every(name => ENVELOPE.has(name)) &&
    !hasPayload(others) &&
    !Array.isArray(data)
  )
}

function hasPayload(body: Members): boolean {
  return PAYLOADS.some(name => !isEmpty(body[name]))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isEmpty)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const STATUSES = [
  'status',
  'statusCode',
  'status_code',
  'httpStatus',
  'http_status',
  'code',
  'Code',
  'error_code',
  'errcode',
  'errorCode',
]

/** The HTTP status that a document names, at its root or in its error. */
function statusOf(body: Members): number | null {
  const places = [body, body.error, Array.isArray(body.errors) ? body.errors[0] : null]
  for (const place of places.filter(isObject)) {
    const found = STATUSES.map(name => Number(place[name])).find(isFailedStatus)
    if (found !== undefined) return found
  }
  return null
}

function isFailedStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 400 && value < 600
}
