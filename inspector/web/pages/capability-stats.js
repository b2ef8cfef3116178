import { formatCount, formatDuration, formatPercent } from '../lib/format.js'
import { html } from '../lib/view.js'
import { Count, requestsUrl } from '../parts/count.js'
import { LatencyPlot, SuccessPlot } from '../parts/plots.js'

/**
 * @typedef {import('../model/series.js').CapabilitySeries} CapabilitySeries
 * @typedef {import('../model/series.js').Series} Series
 * @typedef {import('../model/time-window.js').Range} Range
 */

/** @param {{ series: CapabilitySeries, range: Range }} props */
export function CapabilityStats({ series: { capability, series, axis }, range }) {
  const id = 'by-route'
  return html`<section class="capability-stats" aria-labelledby=${id}>
    <h2 id=${id}>By route</h2>
    <table class="stats" role="table" aria-labelledby=${id}>
      <thead role="rowgroup">
        <tr role="row">
          ${COLUMNS.map(
            ([name, title]) =>
              html`<th role="columnheader" scope="col" class=${name}>${title}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${series.map(one => html`<${Row} key=${`${one.route} ${one.purpose}`} capability=${capability} series=${one} axis=${axis} range=${range} />`)}
      </tbody>
    </table>
  </section>`
}

const COLUMNS = [
  ['name', 'Route'],
  ['calls', 'Calls'],
  ['rate', 'Success'],
  ['p50', 'p50'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['fallbacks', 'Fallbacks'],
  ['plot', 'Calls over time'],
  ['plot', 'Latency over time'],
]

/**
 * @param {{ capability: string | null, series: Series, axis: CapabilitySeries['axis'], range: Range }} props
 */
function Row({ capability, series: { route, purpose, total, points }, axis, range }) {
  const { count: calls, success_rate, p50_ms, p95_ms, p99_ms, fallbacks, skipped } = total
  const link = linkTo(capability, range)
  const name = purpose === 'verify' ? `${route}, checking writes` : (route ?? 'requests')
  return html`<tr role="row" class=${route ? 'route' : 'all'}>
    <th role="rowheader" scope="row" class="name">
      ${name} ${skipped > 0 && html`<small>skipped ${link(skipped, { skipped_on: route })} ×</small>`}
    </th>
    <td role="cell" class="calls" data-label="Calls">
      ${route === null ? link(calls, {}) : formatCount(calls)}
      ${total.requests && html`<small>of ${link(total.requests.tried, { tried: route })} requests</small>`}
    </td>
    <td role="cell" class="rate" data-label="Success">
      ${formatPercent(success_rate)}
      <span class="codes">${failuresOf(total, link)}</span>
    </td>
    <td role="cell" class="p50" data-label="p50">${formatDuration(p50_ms)}</td>
    <td role="cell" class="p95" data-label="p95"><${Slow} ms=${p95_ms} isOfRequests=${route === null} capability=${capability} range=${range} /></td>
    <td role="cell" class="p99" data-label="p99">${formatDuration(p99_ms)}</td>
    <td role="cell" class="fallbacks" data-label="Fallbacks">
      ${route === null ? link(fallbacks, { reason: 'CARD_FALLBACK' }) : formatCount(fallbacks)}
    </td>
    <td role="cell" class="plot"><${SuccessPlot} name=${name} points=${points} axis=${axis} /></td>
    <td role="cell" class="plot"><${LatencyPlot} name=${name} points=${points} axis=${axis} /></td>
  </tr>`
}

/**
 * The duration of the slowest twentieth, which leads to the requests that took as long. Of the attempts on a route, no filter of requests finds just those.
 * @param {{ ms: number | null, isOfRequests: boolean, capability: string | null, range: Range }} props
 */
function Slow({ ms, isOfRequests, capability, range }) {
  const text = formatDuration(ms)
  if (ms === null || !isOfRequests || capability === null) return text
  const slow = { capability, min_duration_ms: String(Math.floor(ms)) }
  return html`<a class="count" href=${requestsUrl(range, slow)}>${text}</a>`
}

/** @typedef {(value: number, filters: Record<string, string | null>) => unknown} LinkTo */

/**
 * @param {string | null} capability
 * @param {Range} range
 * @returns {LinkTo}
 */
function linkTo(capability, range) {
  return (value, filters) =>
    html`<${Count} value=${value} range=${range} filters=${capability && { capability, ...filters }} />`
}

/**
 * Requests by code; of a route, the requests that failed on it.
 * @param {Series['total']} total
 * @param {LinkTo} link
 */
function failuresOf({ route, codes, requests }, link) {
  if (route === null) {
    return byFrequency(codes).map(
      ([code, times]) => html`<span>${code} ${link(times, { code })}</span>`,
    )
  }
  const failed = requests?.failed ?? 0
  return (
    failed > 0 && html`<span>${link(failed, { failed_on: route })} requests failed on it</span>`
  )
}

/** @param {Series['total']['codes']} codes */
function byFrequency(codes) {
  return Object.entries(codes).sort(([, a], [, b]) => b - a)
}
