/** The filters of the lists, as `GET /v1/requests` and `GET /v1/attempts` have them. The address holds them, so users can link to a filtered list. */
import { CODES, OUTCOMES, REASONS, ROUTES, WRITE_OUTCOMES } from '../lib/words.js'

/** @typedef {readonly (readonly [value: string, text: string])[]} Options */

/**
 * @typedef {object} Filter
 * @property {string} name
 * @property {string} label
 * @property {Options} [options] the only values
 * @property {RegExp} [pattern] the form of a value
 * @property {string} [form] the pattern in words
 * @property {string} [placeholder]
 */

/** @typedef {{ readonly name: string, readonly value: string, readonly fault: string }} WrongFilter */

const COUNT = { pattern: /^\d{1,9}$/, form: 'a whole number' }
const STATUS = {
  pattern: /^[1-5](\d\d|xx)$/,
  form: 'a status such as 503, or a class such as 5xx',
  placeholder: '503 or 5xx',
}
const TIME = {
  pattern: /^(\d{1,13}|\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?)$/,
  form: 'a time, such as 2026-11-29T14:00:00Z',
}
/** @type {Options} */
const ON_ROUTE = ROUTES.map(route => [route, route])
/** @type {Options} */
const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
]
const MAX_TEXT = 200
const TEXT = { pattern: /^.{1,200}$/, form: 'a text of at most 200 characters' }

/** @satisfies {Record<string, Omit<Filter, 'name'>>} */
const DECLARED = {
  q: { label: 'Search', ...TEXT },
  capability: { label: 'Capability', ...TEXT, placeholder: 'issue.*' },
  ok: {
    label: 'Result',
    options: /** @type {Options} */ ([
      ['true', 'ok'],
      ['false', 'failed'],
    ]),
  },
  code: { label: 'Code', options: named(CODES) },
  reason: { label: 'Reason', options: named(REASONS) },
  route: { label: 'Route', options: ON_ROUTE },
  status: {
    label: 'Any attempt',
    options: /** @type {Options} */ ([
      ['success', 'answered'],
      ['error', 'failed'],
      ['skipped', 'was skipped'],
    ]),
  },
  outcome: { label: 'Outcome', options: named(OUTCOMES) },
  tried: { label: 'Tried', options: ON_ROUTE },
  failed_on: { label: 'Failed on', options: ON_ROUTE },
  skipped_on: { label: 'Skipped', options: ON_ROUTE },
  fell_back: { label: 'Fell back', options: YES_NO },
  retried: { label: 'Retried', options: YES_NO },
  write_outcome: { label: 'Write', options: named(WRITE_OUTCOMES) },
  http_status: { label: 'HTTP status', ...STATUS },
  upstream_status: { label: 'Upstream status', ...STATUS },
  min_duration_ms: { label: 'At least, in ms', ...COUNT, placeholder: '1000' },
  upstream: { label: 'Upstream', ...TEXT, placeholder: 'any' },
  caller: { label: 'Caller', ...TEXT, placeholder: 'any' },
  request_id: { label: 'Request', ...TEXT, placeholder: 'any' },
  correlation_id: { label: 'Correlation id', ...TEXT, placeholder: 'any' },
  batch_id: { label: 'Batch', ...TEXT, placeholder: 'any' },
  since: { label: 'From', ...TIME },
  until: { label: 'To', ...TIME },
}

/** @type {Readonly<Record<string, Filter>>} */
export const FILTERS = Object.fromEntries(
  Object.entries(DECLARED).map(([name, filter]) => [name, { name, ...filter }]),
)

/** Filters of requests by a route, which the list of attempts finds by its own route and status. */
const OF_REQUESTS = ['tried', 'failed_on', 'skipped_on']
/**
 * Filters that only attempts have, or that mean the attempt itself.
 * @type {Readonly<Record<string, Filter>>}
 */
const OF_ATTEMPTS = {
  status: { ...DECLARED.status, name: 'status', label: 'Attempt' },
  moved_on: { name: 'moved_on', label: 'Other route tried', options: YES_NO },
  purpose: {
    name: 'purpose',
    label: 'Purpose',
    options: [
      ['call', 'part of the call'],
      ['verify', 'checks a write'],
    ],
  },
}

/** @type {Readonly<Record<string, Filter>>} */
export const ATTEMPT_FILTERS = {
  ...Object.fromEntries(Object.entries(FILTERS).filter(([name]) => !OF_REQUESTS.includes(name))),
  ...OF_ATTEMPTS,
}

/** The filter `capability` for requests that reached none. */
export const NO_CAPABILITY = '(none)'

/** The ends of the time range. Views leave it as it is. */
export const TIMES = ['since', 'until']

/**
 * Divides a query into the filters that the list uses, in a fixed order, and the parts that it cannot use.
 * @param {URLSearchParams} query
 * @param {typeof FILTERS} [known]
 * @returns {{ filters: URLSearchParams, wrong: readonly WrongFilter[] }}
 */
export function readFilters(query, known = FILTERS) {
  const filters = new URLSearchParams()
  /** @type {WrongFilter[]} */
  const wrong = []
  const names = new Set([...Object.keys(known), ...query.keys()])
  for (const name of names) {
    const [value, ...more] = query.getAll(name).filter(Boolean)
    if (value === undefined) continue
    const fault = faultOf(known, name, value)
    if (fault === null) filters.set(name, value)
    else wrong.push({ name, value, fault })
    for (const other of more) wrong.push({ name, value: other, fault: 'is there twice' })
  }
  return { filters, wrong }
}

/**
 * @param {typeof FILTERS} known
 * @param {string} name
 * @param {string} value
 * @returns {string | null}
 */
function faultOf(known, name, value) {
  const filter = Object.hasOwn(known, name) ? known[name] : undefined
  if (!filter) return 'is no filter of this list'
  const { options, pattern, form } = filter
  if (options && !options.some(([option]) => option === value)) {
    return `must be one of ${options.map(([option]) => option).join(', ')}`
  }
  if (pattern && !pattern.test(value)) return `must be ${form}`
  return TIMES.includes(name) && !isTime(value) ? 'must be a time that exists' : null
}

/** @param {string} value */
function isTime(value) {
  return !Number.isNaN(/^\d+$/.test(value) ? Number(value) : Date.parse(value))
}

/**
 * @param {URLSearchParams} filters
 * @param {Readonly<Record<string, string>>} changes an empty value removes the filter
 * @param {typeof FILTERS} [known]
 */
export function withFilters(filters, changes, known = FILTERS) {
  const next = new URLSearchParams(filters)
  for (const [name, value] of Object.entries(changes)) next.set(name, value)
  return readFilters(next, known).filters
}

/**
 * A filter in words, such as `Result: failed`.
 * @param {string} name
 * @param {string} value
 * @param {typeof FILTERS} [known]
 */
export function describeFilter(name, value, known = FILTERS) {
  const { label, options } = known[name] ?? { label: name }
  const text = options?.find(([option]) => option === value)?.[1] ?? value
  return { label, text }
}

/**
 * @param {Readonly<Record<string, string>>} words
 * @returns {Options}
 */
function named(words) {
  return Object.keys(words).map(name => [name, name])
}

/**
 * The text of a search, without the words for which it has no room: all words must be found, also half a word.
 * @param {string} text
 */
export function wordsOf(text) {
  const whole = text.trim()
  if (whole.length <= MAX_TEXT) return whole
  const fitting = whole.slice(0, MAX_TEXT + 1).replace(/[\p{L}\p{N}]+$/u, '')
  return (fitting.trim() || whole).slice(0, MAX_TEXT)
}
