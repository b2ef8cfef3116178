import { isRawNumber } from './exact-json.ts'
import { isTooDeep } from './nesting.ts'

/** Removes credentials from texts and values that are kept or shown. When in doubt it removes too much. */

export const REDACTED = '[redacted]'

/** Deeper values are removed without a look. */
const MAX_DEPTH = 64

/** Shorter secrets would blank out ordinary words. */
const MIN_SECRET_LENGTH = 6

/** Texts that are credentials wherever they stand, by their shape. */
const SHAPES: readonly RegExp[] = [
  /\bgh[a-z]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bsbx_[\w-]{20,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bsk-[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bA[KS]IA[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
]

/** Three parts with dots, from the beginning of a word on: a search from each `eyJ` would be quadratic. */
const DOTTED = /(?<![\w-])[\w-]{11,}\.[\w-]{8,}\.[\w-]*/g
const JWT_HEAD = /\beyJ[\w-]{8}/

/** Credentials known only by their surroundings; the first group stays. */
const IN_CONTEXT: readonly RegExp[] = [
  /\b((?:bearer|basic)\s+)(?!auth[a-z]*\b|credentials?\b|tokens?\b)[\w.~+/-]{6,}=*/gi,
  /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:token\s+)?)(?!(?:bearer|basic|token)\b)[^\s"',;&]+/gi,
  /\b((?:access_token|refresh_token|id_token|client_secret|api_?key|password)["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
  // Parameters of addresses. A page token is no secret, and clients need it.
  /([?&](?!(?:[\w-]{0,20}[-_])?page[-_]?token=)(?:[\w-]{0,40}[-_])?(?:token|secret|signature|credential|sig|hmac|key|auth|passwd|pass|pwd)=)[^\s"'<>&#]+/gi,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,256}@/gi,
]

/** One search for all of them, because most texts have none. */
const ANY_SHAPE = new RegExp(
  [...SHAPES, JWT_HEAD, ...IN_CONTEXT].map(({ source }) => source).join('|'),
  'i',
)

const SECRET_NAME =
  /token|secret|passw|passphrase|\bpwd\b|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|credential|authorization|cookie/i

/** Each credential has one of these, or a name like that of a secret. A search for them takes a third of the whole one. */
const ANY_HINT = new RegExp(
  `gh[a-z]_|github_pat_|glpat-|sbx_|xox[a-z]-|sk-|npm_|a[ks]ia|aiza|-----begin|eyj|bearer|basic|://|[-_?&](?:sig|signature|hmac|key|auth|pass|pwd)=|${SECRET_NAME.source}`,
  'i',
)

/** Names that contain such a word but hold no secret: counts, kinds and switches. */
const HARMLESS_NAME =
  /tokens?[-_ ]?(?:budget|count|limit|usage|used|type)|(?:max|min|total|input|output|prompt|completion)[-_ ]?tokens|secret[-_ ]?scanning|secret[-_ ]?type/i

/** Removes the given secrets, and everything that looks like a credential. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of longestFirst(secrets)) {
    clean = clean.replaceAll(secret, REDACTED)
  }
  if (!ANY_HINT.test(clean) || !ANY_SHAPE.test(clean)) return clean
  for (const shape of SHAPES) clean = clean.replace(shape, REDACTED)
  clean = clean.replace(DOTTED, dotted => (JWT_HEAD.test(dotted) ? REDACTED : dotted))
  for (const context of IN_CONTEXT) clean = clean.replace(context, replaceAfterPrefix)
  return clean
}

/** Copies a JSON value without secrets: blanks members named like one, and redacts every text. */
export function redactValue(value: unknown, secrets: readonly string[] = []): unknown {
  return redactNested(value, secrets, 0)
}

/**
 * The JSON of a value without secrets. Most values have none, and one search through their text shows that.
 * @param text the JSON of the value, if it is known
 */
export function redactJson(
  value: object | string | number | boolean,
  secrets: readonly string[] = [],
  text: string = JSON.stringify(value),
): string {
  return isFree(text, secrets) ? text : JSON.stringify(redactValue(value, secrets))
}

/** Whether a JSON text certainly holds nothing to remove. An escape could hide where a secret begins. */
function isFree(text: string, secrets: readonly string[]): boolean {
  return (
    !text.includes('\\') &&
    (!ANY_HINT.test(text) || !(SECRET_NAME.test(text) || ANY_SHAPE.test(text))) &&
    !longestFirst(secrets).some(secret => text.includes(secret)) &&
    !isTooDeep(text, MAX_DEPTH)
  )
}

/** Whether a member or header of this name is expected to hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)
}

function redactNested(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return redactText(value, secrets)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (depth >= MAX_DEPTH) return REDACTED
  if (Array.isArray(value)) return value.map(item => redactNested(item, secrets, depth + 1))
  // fromEntries defines own members, so that a member named `__proto__` stays data.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redactText(name, secrets),
      isSecretName(name) && holdsSecret(member)
        ? REDACTED
        : redactNested(member, secrets, depth + 1),
    ]),
  )
}

/** Null, true, false and the empty text say that a secret is absent or switched, not what it is. */
function holdsSecret(member: unknown): boolean {
  return member !== null && member !== undefined && typeof member !== 'boolean' && member !== ''
}

interface Sorted {
  readonly secrets: readonly string[]
  readonly sorted: readonly string[]
}

const NONE: Sorted = { secrets: [], sorted: [] }

/** The last two lists: an attempt and its record have one each, and the next call mostly has the same two. */
let last = NONE
let beforeLast = NONE

function longestFirst(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return NONE.sorted
  if (last.secrets === secrets) return last.sorted
  const isKnown = beforeLast.secrets === secrets
  const found = isKnown ? beforeLast : { secrets, sorted: sort(secrets) }
  beforeLast = last
  last = found
  return found.sorted
}

function sort(secrets: readonly string[]): readonly string[] {
  return spellingsOf(secrets.filter(secret => secret.length >= MIN_SECRET_LENGTH))
}

/** The secrets as services echo them: in addresses, in forms and in JSON. The longest come first. */
export function spellingsOf(secrets: readonly string[]): readonly string[] {
  const all = secrets.flatMap(secret => {
    const inJson = JSON.stringify(secret).slice(1, -1)
    const uri = encodeURIComponent(secret)
    return [
      secret,
      uri,
      uri.replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
      new URLSearchParams([['', secret]]).toString().slice(1),
      inJson,
      inJson.replaceAll('/', '\\/'),
      inJson.replaceAll(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ]
  })
  return [...new Set(all)].toSorted((a, b) => b.length - a.length)
}

function replaceAfterPrefix(match: string, prefix: string): string {
  return `${prefix}${REDACTED}${match.endsWith('@') ? '@' : ''}`
}
