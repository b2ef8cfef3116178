import { formatCount, formatDuration, formatPercent } from '../lib/format.js'
import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'

/** @typedef {import('../model/time-window.js').Range} Range */

/**
 * The address of the requests behind a number.
 * @param {Range} range
 * @param {Record<string, string | null | undefined>} filters
 */
export function requestsUrl({ since, until }, filters) {
  const given = Object.entries(filters).filter(([, value]) => value)
  const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
  return listUrl(
    new URLSearchParams([.../** @type {[string, string][]} */ (given), ...Object.entries(times)]),
  )
}

/**
 * A number that leads to as many requests; without filters, if none would find just those.
 * @param {{ value: number, range: Range, filters: Record<string, string | null | undefined> | null, label?: string }} props
 */
export function Count({ value, range, filters, label }) {
  if (value === 0 || !filters) return html`<span class="none">${formatCount(value)}</span>`
  return html`<a class="count" href=${requestsUrl(range, filters)} aria-label=${label && `${formatCount(value)} ${label}`}>
    ${formatCount(value)}
  </a>`
}

/**
 * A share or a duration, and what it was before, if that differs.
 * @param {{ now: number | null, before: number | null, kind: 'share' | 'duration' }} props
 */
export function Compared({ now, before, kind }) {
  const format = kind === 'share' ? formatPercent : formatDuration
  const was = now === null || before === null ? null : html`<small>was ${format(before)}</small>`
  return html`<span class=${trendOf(now, before, kind)}>${format(now)}</span>${was}`
}

/**
 * A share is worse by a percentage point, a duration by a quarter.
 * @param {number | null} now
 * @param {number | null} before
 * @param {'share' | 'duration'} kind
 */
function trendOf(now, before, kind) {
  if (now === null || before === null) return ''
  const worse = kind === 'share' ? now > before + 0.01 : now > before * 1.25 + 1
  const better = kind === 'share' ? now < before - 0.01 : now < before * 0.75 - 1
  return worse ? 'worse' : better ? 'better' : ''
}
