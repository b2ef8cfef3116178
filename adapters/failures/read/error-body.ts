import { isObject } from '../../../src/lib/is-object.ts'
import { shorten } from '../../../src/lib/text.ts'
import type { FieldProblem } from '../../../src/model/card.ts'
import { grpcNameIn } from '../vocabulary/grpc.ts'
import { CODE_MEMBERS, MESSAGE_MEMBERS } from '../vocabulary/members.ts'

/** The upstream's messages, codes and field problems, the most general first. */
export interface ErrorBody {
  readonly messages: readonly string[]
  /** Machine-readable codes, in the upstream's spelling. */
  readonly codes: readonly string[]
  readonly fields: readonly FieldProblem[]
}

/**
 * Reads the error bodies that services really send: GitHub's and GitLab's, RFC 9457, OAuth, Google,
 * Kubernetes, AWS (JSON and XML), FastAPI, HTML and plain text. It reads only members that are known to
 * hold the service's own messages or codes, so it never takes a caller's value for one of them.
 */
export function readErrorBody(body: unknown): ErrorBody {
  const found = new Findings()
  if (typeof body === 'string') readText(body, found)
  else visit(body, null, found, 0)
  // Some services wrap every answer: `{json: {errors: […]}}`.
  if (found.messages.length + found.codes.length === 0) visit(wrappedIn(body), null, found, 0)
  return found
}

type Members = Readonly<Record<string, unknown>>

/** The only object in a body, beside texts such as a signature; null if there is none, or several. */
export function wrappedIn(body: unknown): Members | null {
  if (!isObject(body)) return null
  const [only, ...others] = Object.values(body).filter(value => typeof value === 'object')
  return isObject(only) && others.length === 0 ? only : null
}

/** An upstream may send megabytes of errors. Keep this much of them, in number and in length. */
const MAX_FOUND = 20
const MAX_TEXT = 2000
const MAX_NAME = 200

/** Collects the parts of an error body, and cuts each before a pattern looks at it. */
class Findings implements ErrorBody {
  readonly messages: string[] = []
  readonly codes: string[] = []
  readonly fields: FieldProblem[] = []

  message(text: string): void {
    if (this.messages.length < MAX_FOUND) this.messages.push(shorten(text, MAX_TEXT))
  }

  code(text: string): void {
    if (this.codes.length < MAX_FOUND) this.codes.push(shorten(text, MAX_NAME))
  }

  field(path: string, message: string): void {
    if (this.fields.length >= MAX_FOUND) return
    this.fields.push({ path: shorten(path, MAX_NAME), message: shorten(message, MAX_TEXT) })
  }
}

/** Whether a text is a code: one word. A longer text in a code's place is a message. */
function isCode(text: string): boolean {
  return text.length <= MAX_NAME && CODE.test(text)
}

/** The message for a field about which the upstream gives no reason. */
export const NOT_ACCEPTED = 'is not accepted'

/** Members that may hold a code, or a sentence in its place. */
const CODE_PLACES = [
  ...CODE_MEMBERS,
  'type',
  'reason',
  'status',
  'error',
  'faultcode',
  '__type',
  '.tag',
  'sub_code',
  'errorType',
  'errorClass',
  'error_class',
]
/** Members under which there may be more messages and codes. */
const NESTED_MEMBERS = [
  'error',
  'Error',
  'errors',
  'fault',
  'Fault',
  'details',
  'detail',
  'cause',
  'causes',
  'caused_by',
  'innererror',
  'extensions',
  'invalid-params',
  'invalid_params',
]
/** JSON-RPC puts more about an error into its `data`. Elsewhere, `data` is a caller's. */
const IN_ERROR = [...NESTED_MEMBERS, 'data']
const FIELD_MEMBERS = ['field', 'param', 'pointer', 'location', 'target']
/** Members that hold a path as a list of keys. */
const PATH_MEMBERS = ['loc', 'path']

/** A code is one word; a sentence in a code's place is a message. */
const CODE = /^[A-Za-z][\w.:#/-]*$/
const MAX_DEPTH = 5
const MAX_ITEMS = 20

function visit(value: unknown, parent: string | null, found: Findings, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (typeof value === 'string') return readWord(value, parent, found)
  if (Array.isArray(value)) {
    if (isTuple(value)) return readTuple(value, found)
    for (const item of value.slice(0, MAX_ITEMS)) visit(item, parent, found, depth + 1)
    return
  }
  if (!isObject(value)) return
  readMembers(value, found, depth)
  visitNested(value, namesIn(value, parent), found, depth)
}

/** The members of an error that may hold more of it. */
function namesIn(value: Members, parent: string | null): readonly string[] {
  // A service's own part of a GraphQL error: `extensions: {contentful: {code}}`.
  if (parent === 'extensions') return Object.keys(value).slice(0, MAX_ITEMS)
  // A union of Dropbox's Stone language: the tag names the member with the details.
  const tag = ownMember(value, '.tag')
  if (typeof tag === 'string') return [...NESTED_MEMBERS, tag]
  return parent === 'error' ? IN_ERROR : NESTED_MEMBERS
}

/** `["RATELIMIT", "you are doing that too much", "ratelimit"]`: a code in capitals, a message, and perhaps a field. */
function isTuple(value: readonly unknown[]): value is readonly [string, string] {
  const [code, message] = value
  return typeof code === 'string' && /^[A-Z][A-Z_]{2,60}$/.test(code) && isText(message)
}

function readTuple([code, message]: readonly [string, string], found: Findings): void {
  found.code(code)
  found.message(message)
}

function visitNested(
  value: Members,
  names: readonly string[],
  found: Findings,
  depth: number,
): void {
  for (const name of names) {
    const member = ownMember(value, name)
    if (member === null || typeof member === 'string') continue
    if (isFieldMap(member)) readFieldMap(member, found)
    else visit(member, name, found, depth + 1)
  }
}

/** Reads a text in an array of errors or in place of an error object: `errors: ["…"]`, `error: "…"`. */
function readWord(text: string, parent: string | null, found: Findings): void {
  if (parent === 'error' && isCode(text)) found.code(text)
  else found.message(text)
}

function readMembers(members: Members, found: Findings, depth: number): void {
  const { messages, codes } = found
  const [messagesBefore, codesBefore] = [messages.length, codes.length]
  for (const name of MESSAGE_MEMBERS) readMessage(name, ownMember(members, name), found, depth)
  for (const name of CODE_PLACES) readCode(name, ownMember(members, name), found)
  const state = sqlStateIn(members)
  if (state !== null) found.code(state)
  const status = grpcNameIn(members)
  if (status !== null) found.code(status)
  const path = fieldPath(members)
  if (path === null) return
  const message = messages[messagesBefore] ?? codes[codesBefore] ?? NOT_ACCEPTED
  found.field(path, message)
}

function readMessage(name: string, value: unknown, found: Findings, depth: number): void {
  if (isText(value)) {
    found.message(value)
    // `message: "not_found"`
    if (value.includes('_') && isCode(value)) found.code(value)
  }
  if (isFieldMap(value)) readFieldMap(value, found)
  else if (Array.isArray(value)) visit(value, name, found, depth + 1)
}

/** PostgreSQL's own error in JSON, as PostgREST sends it. Elsewhere, five digits are a service's own code. */
function sqlStateIn(members: Members): string | null {
  const code = ownMember(members, 'code')
  const isPostgres = ['message', 'details', 'hint'].every(name => Object.hasOwn(members, name))
  return isPostgres && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
    ? `SQLSTATE ${code}`
    : null
}

/** A member that usually holds a code may hold a sentence, or a URI that ends in the code (RFC 9457). */
function readCode(name: string, value: unknown, found: Findings): void {
  if (isJsonRpcCode(value)) return found.code(String(value))
  if (!isText(value)) return
  if (isCode(value)) found.code(name === 'type' ? lastSegment(value) : value)
  else if (name === 'error' || name === 'reason') found.message(value)
}

/** JSON-RPC reserves these numbers, so they mean the same everywhere. */
function isJsonRpcCode(value: unknown): boolean {
  return typeof value === 'number' && value >= -32768 && value <= -32000
}

/** The member of the input that an error is about; null if the error does not also say what is wrong. */
function fieldPath(members: Members): string | null {
  const explains = (name: string) => typeof ownMember(members, name) === 'string'
  if (![...MESSAGE_MEMBERS, 'reason', 'code'].some(explains)) return null
  for (const name of FIELD_MEMBERS) {
    const value = ownMember(members, name)
    if (isText(value))
      return value
        .slice(0, MAX_NAME)
        .replace(/^[#/]+/, '')
        .replaceAll('/', '.')
  }
  for (const name of PATH_MEMBERS) {
    const value = ownMember(members, name)
    if (Array.isArray(value) && value.length > 0) return value.slice(0, MAX_ITEMS).join('.')
  }
  return invalidParam(members)
}

/** The name in one of RFC 7807's invalid-params, which are pairs of a name and a reason. */
function invalidParam(members: Members): string | null {
  const name = ownMember(members, 'name')
  const isPair = typeof name === 'string' && typeof ownMember(members, 'reason') === 'string'
  return isPair && ownMember(members, 'message') === null ? name : null
}

function ownMember(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** `{"title": ["can't be blank"], "base": "…"}`: members of the input and the problems of each. */
function isFieldMap(value: unknown): value is Record<string, string | string[]> {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.some(([, item]) => Array.isArray(item)) &&
    entries.every(([name, item]) => !NESTED_MEMBERS.includes(name) && isTexts(item))
  )
}

function isTexts(item: unknown): boolean {
  return [item].flat().every(text => typeof text === 'string')
}

function readFieldMap(map: Readonly<Record<string, string | string[]>>, found: Findings): void {
  for (const [path, texts] of Object.entries(map).slice(0, MAX_ITEMS)) {
    for (const text of [texts].flat().slice(0, MAX_ITEMS)) {
      found.field(path, text)
      found.message(`${path} ${text}`)
    }
  }
}

function readText(text: string, found: Findings): void {
  const start = text.slice(0, MAX_TEXT)
  const code = /<Code>([\w.]+)<\/Code>/.exec(start)?.[1]
  if (code !== undefined) {
    found.code(code)
    found.message(stripTags(/<Message>([^<]*)<\/Message>/.exec(start)?.[1] ?? code))
    return
  }
  const title = /<title>([^<]*)<\/title>/i.exec(start)?.[1]
  const words = stripTags(start.replace(/<(title|style|script)\b.*?(<\/\1>|$)/gis, ''))
  if (title !== undefined) found.message(stripTags(title))
  if (words !== '') found.message(words)
}

function stripTags(text: string): string {
  return text
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&[a-z]+;|&#\d+;/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function lastSegment(uri: string): string {
  return uri.split(/[/#:]/).findLast(part => part !== '') ?? uri
}
