import type { FieldProblem } from '../../../src/model/card.ts'

/** What an error body says, whatever shape it has. Upstream's words and codes, most general first. */
export interface ErrorBody {
  readonly messages: readonly string[]
  /** Machine-readable codes, in the upstream's spelling. */
  readonly codes: readonly string[]
  readonly fields: readonly FieldProblem[]
}

/**
 * Reads the error bodies that services really send: GitHub's and GitLab's, RFC 9457, OAuth, Google,
 * Kubernetes, AWS (JSON and XML), FastAPI, HTML and bare text. Only members that are known to hold the
 * service's own words or codes are looked at, so that a value which a caller chose is never taken for one.
 */
export function readErrorBody(body: unknown): ErrorBody {
  const found = { messages: [] as string[], codes: [] as string[], fields: [] as FieldProblem[] }
  if (typeof body === 'string') readText(body, found)
  else visit(body, null, found, 0)
  return found
}

interface Found {
  readonly messages: string[]
  readonly codes: string[]
  readonly fields: FieldProblem[]
}

const MESSAGE_MEMBERS = [
  'message',
  'Message',
  'title',
  'detail',
  'error_description',
  'error_message',
  'errorMessage',
  'errorMessages',
  'description',
  'msg',
  'error_summary',
  'faultstring',
]
const CODE_MEMBERS = [
  'code',
  'Code',
  'type',
  'reason',
  'status',
  'error',
  'errorCode',
  'error_code',
  '__type',
  'errorType',
]
/** Members that lead to further messages and codes. */
const NESTED_MEMBERS = [
  'error',
  'Error',
  'errors',
  'fault',
  'details',
  'detail',
  'causes',
  'innererror',
  'invalid-params',
  'invalid_params',
]
const FIELD_MEMBERS = ['field', 'param', 'pointer', 'location', 'target']
/** Members that hold a path as a list of keys. */
const PATH_MEMBERS = ['loc', 'path']

/** A code is one word; a sentence in a code's place is a message. */
const CODE = /^[A-Za-z][\w.:#/-]*$/
const MAX_DEPTH = 5
const MAX_ITEMS = 20

function visit(value: unknown, parent: string | null, found: Found, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (typeof value === 'string') return readWord(value, parent, found)
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_ITEMS)) visit(item, parent, found, depth + 1)
    return
  }
  if (value === null || typeof value !== 'object') return
  const members = value as Readonly<Record<string, unknown>>
  readMembers(members, found, depth)
  for (const name of NESTED_MEMBERS) {
    if (!Object.hasOwn(members, name) || typeof members[name] === 'string') continue
    if (isFieldMap(members[name])) readFieldMap(members[name], found)
    else visit(members[name], name, found, depth + 1)
  }
}

/** A text in an array of errors, or where an object would also do: `errors: ["…"]`, `error: "…"`. */
function readWord(text: string, parent: string | null, found: Found): void {
  if (parent === 'error' && CODE.test(text)) found.codes.push(text)
  else found.messages.push(text)
}

function readMembers(
  members: Readonly<Record<string, unknown>>,
  found: Found,
  depth: number,
): void {
  const { messages, codes } = found
  const [messagesBefore, codesBefore] = [messages.length, codes.length]
  for (const name of MESSAGE_MEMBERS) {
    const value = Object.hasOwn(members, name) ? members[name] : null
    if (typeof value === 'string' && value !== '') messages.push(value)
    else if (isFieldMap(value)) readFieldMap(value, found)
    else if (Array.isArray(value)) visit(value, name, found, depth + 1)
  }
  for (const name of CODE_MEMBERS) {
    const value = Object.hasOwn(members, name) ? members[name] : null
    if (typeof value === 'string' && value !== '') readCode(name, value, found)
  }
  const path = fieldPath(members)
  if (path === null) return
  const message = messages[messagesBefore] ?? codes[codesBefore] ?? 'is not accepted'
  found.fields.push({ path, message })
}

/** A member that usually holds a code may hold words, or a URI that ends in one (RFC 9457). */
function readCode(name: string, value: string, found: Found): void {
  if (CODE.test(value)) found.codes.push(name === 'type' ? lastSegment(value) : value)
  else if (name === 'error' || name === 'reason') found.messages.push(value)
}

/** Which member of the input an error is about, if the error says anything else about it. */
function fieldPath(members: Readonly<Record<string, unknown>>): string | null {
  const own = (name: string) => (Object.hasOwn(members, name) ? members[name] : null)
  if (![...MESSAGE_MEMBERS, 'reason', 'code'].some(name => typeof own(name) === 'string'))
    return null
  for (const name of FIELD_MEMBERS) {
    const value = own(name)
    if (typeof value !== 'string' || value === '') continue
    return value.replace(/^[#/]+/, '').replaceAll('/', '.')
  }
  for (const name of PATH_MEMBERS) {
    const value = own(name)
    if (Array.isArray(value) && value.length > 0) return value.join('.')
  }
  // RFC 7807's invalid-params are pairs of a name and a reason.
  const pair = typeof own('name') === 'string' && typeof own('reason') === 'string'
  return pair && own('message') === null ? String(own('name')) : null
}

/** `{"title": ["can't be blank"], "base": "…"}`: members of the input, each with what is wrong with it. */
function isFieldMap(value: unknown): value is Record<string, string | string[]> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return (
    entries.some(([, item]) => Array.isArray(item)) &&
    entries.every(([name, item]) => !NESTED_MEMBERS.includes(name) && isTexts(item))
  )
}

function isTexts(item: unknown): boolean {
  return [item].flat().every(text => typeof text === 'string')
}

function readFieldMap(map: Readonly<Record<string, string | string[]>>, found: Found): void {
  for (const [path, texts] of Object.entries(map).slice(0, MAX_ITEMS)) {
    for (const text of [texts].flat()) {
      found.fields.push({ path, message: text })
      found.messages.push(`${path} ${text}`)
    }
  }
}

const MAX_TEXT = 2000

function readText(text: string, found: Found): void {
  const start = text.slice(0, MAX_TEXT)
  const code = /<Code>([\w.]+)<\/Code>/.exec(start)?.[1]
  if (code !== undefined) {
    found.codes.push(code)
    found.messages.push(stripTags(/<Message>([^<]*)<\/Message>/.exec(start)?.[1] ?? code))
    return
  }
  const title = /<title>([^<]*)<\/title>/i.exec(start)?.[1]
  const words = stripTags(start.replace(/<(title|style|script)\b.*?(<\/\1>|$)/gis, ''))
  if (title !== undefined) found.messages.push(stripTags(title))
  if (words !== '') found.messages.push(words)
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
