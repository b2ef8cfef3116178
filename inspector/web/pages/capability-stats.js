import { formatCount, formatDuration, formatPercent } from '../lib/format.js'
import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { LatencyPlot, SuccessPlot } from '../parts/plots.js'

/**
 * @typedef {import('../model/series.js').CapabilitySeries} CapabilitySeries
 * @typedef {import('../model/series.js').Series} Series
 * @typedef {import('../../../src/journal/row-schemas.ts').StatsRow} StatsRow
 */

/** @param {{ series: CapabilitySeries }} props */
export function CapabilityStats({ series: { capability, series, axis } }) {
  const id = `capability-${capability ?? 'none'}`
  return html`<section class="capability-stats" aria-labelledby=${id}>
    <h2 id=${id}>
      ${capability === null ? 'No capability' : html`<a href=${listOf(capability, {})}>${capability}</a>`}
    </h2>
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
        ${series.map(one => html`<${Row} key=${`${one.route} ${one.purpose}`} capability=${capability} series=${one} axis=${axis} />`)}
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

/** @param {{ capability: string | null, series: Series, axis: CapabilitySeries['axis'] }} props */
function Row({ capability, series: { route, purpose, total, points }, axis }) {
  const { count: calls, success_rate, p50_ms, p95_ms, p99_ms, fallbacks, skipped } = total
  const name = purpose === 'verify' ? `${route}, checking writes` : (route ?? 'requests')
  return html`<tr role="row" class=${route ? 'route' : 'all'}>
    <th role="rowheader" scope="row" class="name">
      ${name} ${skipped > 0 && html`<small>skipped ${formatCount(skipped)} ×</small>`}
    </th>
    <td role="cell" class="calls" data-label="Calls">${formatCount(calls)}</td>
    <td role="cell" class="rate" data-label="Success">
      ${formatPercent(success_rate)}
      <${Codes} capability=${capability} codes=${total.codes} link=${route === null} />
    </td>
    <td role="cell" class="p50" data-label="p50">${formatDuration(p50_ms)}</td>
    <td role="cell" class="p95" data-label="p95">${formatDuration(p95_ms)}</td>
    <td role="cell" class="p99" data-label="p99">${formatDuration(p99_ms)}</td>
    <td role="cell" class="fallbacks" data-label="Fallbacks">${fallbacks === 0 ? '–' : formatCount(fallbacks)}</td>
    <td role="cell" class="plot"><${SuccessPlot} name=${name} points=${points} axis=${axis} /></td>
    <td role="cell" class="plot"><${LatencyPlot} name=${name} points=${points} axis=${axis} /></td>
  </tr>`
}

/**
 * Failures by code, most frequent first. Only the codes of requests link to the list: a failed attempt does
 * not mean that its request failed.
 * @param {{ capability: string | null, codes: StatsRow['codes'], link: boolean }} props
 */
function Codes({ capability, codes, link }) {
  const sorted = Object.entries(codes).sort(([, a], [, b]) => b - a)
  return html`<span class="codes">
    ${sorted.map(([code, times]) => {
      const text = `${code} ${formatCount(times)}`
      return link
        ? html`<a href=${listOf(capability, { code })}>${text}</a>`
        : html`<span>${text}</span>`
    })}
  </span>`
}

/**
 * @param {string | null} capability
 * @param {Record<string, string>} filters
 */
function listOf(capability, filters) {
  return listUrl(new URLSearchParams({ ...(capability && { capability }), ...filters }))
}
