/** Formats numbers and times for people. */
import { partsOf, zoneName } from './zone.js'

/**
 * Up to three significant digits: 0.4 ms, 12.4 ms, 1.24 s, 2 min 5 s.
 * @param {number | null | undefined} ms
 */
export function formatDuration(ms) {
  if (ms == null) return '–'
  if (ms < 99.95) return `${trim(ms, 1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${trim(ms / 1000, ms < 9995 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/**
 * @param {number} value
 * @param {number} digits
 */
function trim(value, digits) {
  return String(Number(value.toFixed(digits)))
}

/** @param {number} value */
export function formatCount(value) {
  // Most counts are small, and Intl takes a while to start.
  return value < 1000 && Number.isInteger(value) ? String(value) : value.toLocaleString('en')
}

/**
 * A noun for a number of things: 1 request, 2 requests.
 * @param {number} count
 * @param {string} one the noun for one of them
 */
export function nounFor(count, one) {
  return count === 1 ? one : `${one}s`
}

/**
 * @param {number} count
 * @param {string} one
 */
export function formatCounted(count, one) {
  return `${formatCount(count)} ${nounFor(count, one)}`
}

/**
 * The length of a list, of which more may follow: 1 request, 50+ requests.
 * @param {number} count
 * @param {string} one
 * @param {boolean} hasMore
 */
export function formatLoaded(count, one, hasMore) {
  return hasMore ? `${formatCount(count)}+ ${one}s` : formatCounted(count, one)
}

/**
 * Shows 100 % only for a share of exactly 1. The space before the sign does not break.
 * @param {number | null} share 0 to 1
 */
export function formatPercent(share) {
  if (share === null) return '–'
  const tenths = share < 1 ? Math.min(Math.round(share * 1000), 999) : 1000
  return `${tenths / 10}\u00a0%`
}

/**
 * The time of day, preceded by the date unless it is today.
 * @param {string} time
 */
export function formatShortTime(time) {
  const { clock, date, day } = partsOf(new Date(time))
  return date === partsOf(new Date()).date ? clock : `${day}, ${clock}`
}

/** @param {string} time */
export function formatFullTime(time) {
  const at = new Date(time)
  const { clock, date } = partsOf(at)
  const ms = String(at.getUTCMilliseconds()).padStart(3, '0')
  return `${date}, ${clock}.${ms} ${zoneName(at)}`
}

/** @param {string} time */
export function formatMinute(time) {
  const { date, minute } = partsOf(new Date(time))
  return `${date}, ${minute}`
}

/**
 * The label of one end of a time axis.
 * @param {number} time
 * @param {number} span the length of the axis in milliseconds
 */
export function formatAxisTime(time, span) {
  const { day, minute } = partsOf(new Date(time))
  return span > 36 * 3600 * 1000 ? day : minute
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Most texts have only these, and to look for the others takes longer. */
const SEEN = /^[ -~\xa0-\xac\xae-\xff\u2010-\u2027]*$/

/**
 * Writes characters that a page obeys or does not show as `\\u202e`, as `src/lib/show-unseen.ts` does: a text of a caller could
 * otherwise look like another.
 * @param {string} text
 * @param {string} [kept] characters that stay
 */
export function showUnseen(text, kept = '') {
  if (SEEN.test(text)) return text
  return text.replaceAll(UNSEEN, character => {
    if (kept.includes(character)) return character
    const codes = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return codes.map(code => `\\u${code.toString(16).padStart(4, '0')}`).join('')
  })
}
