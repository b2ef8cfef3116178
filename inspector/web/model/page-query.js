/** The parameters that the addresses of the pages have, and those that a page cannot use. The lists have their own, see filters.js. */
import { SORTS } from './overview.js'
import { SPANS } from './time-window.js'

/**
 * @typedef {import('../lib/router.js').Place} Place
 * @typedef {import('./filters.js').WrongFilter} WrongFilter
 */

/** States of approvals, with their labels. */
export const APPROVAL_STATES = {
  waiting: 'Waiting',
  approved: 'Approved',
  used: 'Used',
  refused: 'Refused',
  expired: 'Expired',
}

/** The page says itself what is wrong with its times. */
const TIME = { span: Object.keys(SPANS), since: null, until: null }
const TABLES = { sort: Object.keys(SORTS), all: ['capabilities', 'routes'], q: null }

/**
 * The values that a parameter can have; null for any text.
 * @type {Record<Exclude<Place['page'], 'list' | 'attempts' | 'unknown'>, Readonly<Record<string, readonly string[] | null>>>}
 */
const PARAMETERS = {
  request: { attempt: null },
  approval: {},
  compare: { a: null, b: null },
  approvals: { status: Object.keys(APPROVAL_STATES) },
  audit: { action: null, actor: null, subject: null, after: null },
  overview: { ...TIME, ...TABLES },
  capability: TIME,
  upstream: { ...TIME, ...TABLES },
}

/**
 * @param {Place['page']} page
 * @param {URLSearchParams} query
 * @returns {readonly WrongFilter[]}
 */
export function wrongParameters(page, query) {
  if (page === 'list' || page === 'attempts' || page === 'unknown') return []
  const known = PARAMETERS[page]
  return [...query].flatMap(([name, value], at) => {
    const fault = faultOf(known, name, value)
    const isSecond = [...query.keys()].indexOf(name) < at
    const found = fault ?? (isSecond ? 'is there twice' : null)
    return found === null ? [] : [{ name, value, fault: found }]
  })
}

/**
 * @param {Readonly<Record<string, readonly string[] | null>>} known
 * @param {string} name
 * @param {string} value
 */
function faultOf(known, name, value) {
  if (!Object.hasOwn(known, name)) return 'is no parameter of this page'
  const values = known[name]
  return values && !values.includes(value) ? `must be one of ${values.join(', ')}` : null
}
