/** The filters that find what a number of the statistics counts: of requests, or of attempts for a route. */
import { NO_CAPABILITY } from './filters.js'

/**
 * A series of the statistics: the requests of a capability, or the attempts on a route of it.
 * @typedef {object} Subject
 * @property {string | null} capability null for requests that reached none
 * @property {string | null} route null for requests
 * @property {string | null} [purpose] `verify` for reads that verified writes
 */

/**
 * @typedef {Readonly<Record<string, string>>} Filters
 * @typedef {{ readonly list: 'requests' | 'attempts', readonly filters: Filters }} Behind
 */

/**
 * Requests of a capability; of a route, requests that tried it, failed on it or skipped it, and attempts after which another was tried.
 * @param {Subject} subject
 * @param {'count' | 'failed' | 'fallbacks' | 'refused'} number
 * @returns {Behind}
 */
export function rowsBehind(subject, number) {
  const { capability, route } = subject
  if (route !== null && number === 'fallbacks') return attemptsBehind(subject, FALLBACK)
  const filters =
    route === null || number === 'fallbacks' ? OF_REQUESTS[number] : ON_ROUTE[number](route)
  return { list: 'requests', filters: { capability: capability ?? NO_CAPABILITY, ...filters } }
}

const FALLBACK = { moved_on: 'true' }

const OF_REQUESTS = {
  count: {},
  failed: { outcome: 'failed' },
  fallbacks: { reason: 'CARD_FALLBACK' },
  refused: { outcome: 'refused' },
}

/** @satisfies {Record<string, (route: string) => Filters>} */
const ON_ROUTE = {
  count: route => ({ tried: route }),
  failed: route => ({ failed_on: route }),
  refused: route => ({ skipped_on: route }),
}

/**
 * Attempts on a route. Those that were skipped have no duration.
 * @param {Subject} subject
 * @param {Filters} [filters]
 * @returns {Behind}
 */
export function attemptsBehind({ capability, route, purpose }, filters = { min_duration_ms: '0' }) {
  const own = { capability: capability ?? NO_CAPABILITY, route: route ?? '' }
  return { list: 'attempts', filters: { ...own, purpose: purpose ?? 'call', ...filters } }
}

/**
 * The requests, or the attempts on a route, that took as long as a percentile.
 * @param {Subject} subject
 * @param {number} ms
 * @returns {Behind}
 */
export function slowBehind(subject, ms) {
  // Percentiles are a few percent off, and the list shall not be empty for the slowest.
  const filters = { min_duration_ms: String(Math.floor(ms)) }
  if (subject.route !== null) return attemptsBehind(subject, filters)
  const { list, filters: own } = rowsBehind(subject, 'count')
  return { list, filters: { ...own, ...filters } }
}
