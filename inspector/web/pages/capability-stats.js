import { formatPercent, nounFor } from '../lib/format.js'
import { html } from '../lib/view.js'
import { attemptsBehind, rowsBehind } from '../model/behind.js'
import { Count, Slow } from '../parts/count.js'
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

const PERCENTILES = /** @type {const} */ (['p50', 'p95', 'p99'])

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
  const { count: calls, success_rate, fallbacks, skipped } = total
  const subject = { capability, route, purpose }
  const link = linkTo(range)
  const name = purpose === 'verify' ? `${route}, checking writes` : (route ?? 'requests')
  return html`<tr role="row" class=${route ? 'route' : 'all'}>
    <th role="rowheader" scope="row" class="name">
      ${name} ${skipped > 0 && html`<small>skipped ${link(skipped, attemptsBehind(subject, { status: 'skipped' }))} ×</small>`}
    </th>
    <td role="cell" class="calls" data-label="Calls">
      ${link(calls, route === null ? rowsBehind(subject, 'count') : attemptsBehind(subject))}
      ${total.requests && html`<small>of ${link(total.requests.tried, rowsBehind(subject, 'count'))} ${nounFor(total.requests.tried, 'request')}</small>`}
    </td>
    <td role="cell" class="rate" data-label="Success">
      ${formatPercent(success_rate)}
      <span class="codes">${failuresOf(total, subject, link)}</span>
    </td>
    ${PERCENTILES.map(
      percentile =>
        html`<td role="cell" class=${percentile} data-label=${percentile}><${Slow} ms=${total[`${percentile}_ms`]} subject=${subject} range=${range} /></td>`,
    )}
    <td role="cell" class="fallbacks" data-label="Fallbacks">
      ${link(fallbacks, rowsBehind(subject, 'fallbacks'))}
    </td>
    <td role="cell" class="plot"><${SuccessPlot} name=${name} points=${points} axis=${axis} /></td>
    <td role="cell" class="plot"><${LatencyPlot} name=${name} points=${points} axis=${axis} /></td>
  </tr>`
}

/** @typedef {(value: number, behind: import('../model/behind.js').Behind) => unknown} LinkTo */

/**
 * @param {Range} range
 * @returns {LinkTo}
 */
function linkTo(range) {
  return (value, behind) => html`<${Count} value=${value} range=${range} behind=${behind} />`
}

/**
 * Requests by code; of a route, the requests that failed on it, or the attempts that verified writes and failed.
 * @param {Series['total']} total
 * @param {import('../model/behind.js').Subject} subject
 * @param {LinkTo} link
 */
function failuresOf({ route, codes, requests, count, success }, subject, link) {
  if (route === null) {
    const { list, filters } = rowsBehind(subject, 'count')
    return byFrequency(codes).map(
      ([code, times]) =>
        html`<span>${code} ${link(times, { list, filters: { ...filters, code } })}</span>`,
    )
  }
  if (requests === null) {
    const failed = count - success
    return (
      failed > 0 &&
      html`<span>${link(failed, attemptsBehind(subject, { status: 'error' }))} failed</span>`
    )
  }
  return (
    requests.failed > 0 &&
    html`<span>${link(requests.failed, rowsBehind(subject, 'failed'))} ${nounFor(requests.failed, 'request')} failed on it</span>`
  )
}

/** @param {Series['total']['codes']} codes */
function byFrequency(codes) {
  return Object.entries(codes).sort(([, a], [, b]) => b - a)
}
