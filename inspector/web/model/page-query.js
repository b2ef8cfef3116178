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

/** The decisions of the audit, as `src/model/audit.ts` has them. */
export const AUDIT_ACTIONS = [
  'settings.loaded',
  'settings.reloaded',
  'settings.faulty',
  'key.added',
  'key.changed',
  'key.removed',
  'key.refused',
  'approval.asked',
  'approval.approved',
  'approval.refused',
  'approval.used',
  'approval.returned',
  'approval.expired',
  'credential.chosen',
  'credential.renewed',
  'credential.failed',
  'cards.reloaded',
  'cards.faulty',
  'upstream.reset',
  'audit.pruned',
  'audit.lost',
]

/** The longest name that the audit takes. */
const MAX_NAME = 200

/** The page says itself what is wrong with its times. */
const TIME = { span: Object.keys(SPANS), since: null, until: null }
const TABLES = { sort: Object.keys(SORTS), all: ['capabilities', 'routes'], q: null }

/**
 * The values that a parameter can have, or the length of its text; null for any text.
 * @typedef {Readonly<Record<string, readonly string[] | number | null>>} Known
 * @typedef {Exclude<Place['page'], 'list' | 'attempts' | 'unknown'>} OwnPage
 * @type {Record<OwnPage, Known>}
 */
const PARAMETERS = {
  request: { attempt: null },
  approval: {},
  compare: { a: null, b: null },
  approvals: { status: Object.keys(APPROVAL_STATES) },
  audit: { action: AUDIT_ACTIONS, actor: MAX_NAME, subject: MAX_NAME, after: null },
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
 * The parameters that a page uses: the first of each name, if it has a value that the page knows.
 * @param {OwnPage} page
 * @param {URLSearchParams} query
 */
export function usedParameters(page, query) {
  const names = [...query.keys()]
  return new URLSearchParams(
    [...query].filter(([name, value], at) => {
      const isFirst = names.indexOf(name) === at
      return isFirst && value !== '' && faultOf(PARAMETERS[page], name, value) === null
    }),
  )
}

/**
 * @param {Known} known
 * @param {string} name
 * @param {string} value
 */
function faultOf(known, name, value) {
  if (!Object.hasOwn(known, name)) return 'is no parameter of this page'
  const values = known[name]
  if (typeof values === 'number') {
    return value.length > values ? `must have at most ${values} characters` : null
  }
  return values && value !== '' && !values.includes(value)
    ? `must be one of ${values.join(', ')}`
    : null
}
