import { formatCount, formatDuration, formatPercent } from '../lib/format.js'
import { attemptsUrl, listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { slowBehind } from '../model/behind.js'

/**
 * @typedef {import('../model/time-window.js').Range} Range
 * @typedef {import('../model/behind.js').Behind} Behind
 * @typedef {import('../model/behind.js').Subject} Subject
 */

/**
 * The address of the rows behind a number.
 * @param {Range} range
 * @param {Behind} behind
 */
function urlOf({ since, until }, { list, filters }) {
  const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
  const query = new URLSearchParams({ ...filters, ...times })
  return list === 'attempts' ? attemptsUrl(query) : listUrl(query)
}

/**
 * A number that leads to as many rows.
 * @param {{ value: number, range: Range, behind: Behind, label?: string }} props
 */
export function Count({ value, range, behind, label }) {
  if (value === 0) return html`<span class="none">${formatCount(value)}</span>`
  return html`<a class="count" href=${urlOf(range, behind)} aria-label=${label && `${formatCount(value)} ${label}`}>
    ${formatCount(value)}
  </a>`
}

/**
 * A percentile, which leads to what took as long or longer.
 * @param {{ ms: number | null, subject: Subject, range: Range, children?: import('../lib/view.js').Children }} props
 */
export function Slow({ ms, subject, range, children = formatDuration(ms) }) {
  if (ms === null) return children
  return html`<a class="count slow" href=${urlOf(range, slowBehind(subject, ms))}>${children}</a>`
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
