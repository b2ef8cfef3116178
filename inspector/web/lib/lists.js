/** The two lists, each with its address, its filters, and those of them that people use most. */
import { ATTEMPT_FILTERS, FILTERS } from '../model/filters.js'
import { attemptsUrl, listUrl } from './router.js'

/**
 * @typedef {object} List
 * @property {'requests' | 'attempts'} name
 * @property {(query?: URLSearchParams) => string} urlOf
 * @property {typeof FILTERS} known
 * @property {readonly string[]} first filters that are always in sight
 */

const FIRST = ['capability', 'ok', 'code', 'reason']

/** @type {List} */
export const REQUESTS = { name: 'requests', urlOf: listUrl, known: FILTERS, first: FIRST }

/** @type {List} */
export const ATTEMPTS = {
  name: 'attempts',
  urlOf: attemptsUrl,
  known: ATTEMPT_FILTERS,
  first: ['capability', 'route', 'status', 'code'],
}

/** Filters with fields of another kind. */
const ELSEWHERE = ['q', 'since', 'until']

/**
 * The filters that are folded.
 * @param {List} list
 */
export function moreOf({ known, first }) {
  return Object.keys(known).filter(name => !first.includes(name) && !ELSEWHERE.includes(name))
}
