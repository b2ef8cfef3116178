import { nounFor } from '../lib/format.js'
import { capabilityUrl, navigate } from '../lib/router.js'
import { html } from '../lib/view.js'
import { rowsBehind } from '../model/behind.js'
import { arrange } from '../model/overview.js'
import { timeOf } from '../model/time-window.js'
import { Compared, Count, Slow } from '../parts/count.js'

/**
 * @typedef {import('../model/overview.js').WorstRow} WorstRow
 * @typedef {import('../model/time-window.js').Range} Range
 * @typedef {{ row: WorstRow, range: Range }} CellProps
 */

/** Rows that a table shows at first: a gateway has hundreds of capabilities. */
const SHOWN = 15

/**
 * Capabilities or routes, the worst first.
 * @param {{ id: string, title: string, rows: readonly WorstRow[], range: Range, query: URLSearchParams,
 *   columns: Record<string, string>, urlOf: (query: URLSearchParams) => string }} props
 */
export function WorstTable({ id, title, rows, range, query, columns, urlOf }) {
  const goTo = (/** @type {Record<string, string>} */ changes) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) next.set(name, value)
    navigate(urlOf(next), { replace: true })
  }
  const by = query.get('sort') ?? 'failed'
  const all = arrange(rows, by, query.get('q') ?? '')
  const shown = query.get('all') === id ? all : all.slice(0, SHOWN)
  const sort = (/** @type {string} */ name) => () => goTo({ sort: name })
  return html`<section class="worst" aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${all.length === 0 && html`<p class="empty">None.</p>`}
    ${
      all.length > 0 &&
      html`<table class="stats" role="table" aria-labelledby=${id}>
      <thead role="rowgroup">
        <tr role="row">
          ${Object.entries(columns).map(
            ([
              name,
              label,
            ]) => html`<th role="columnheader" scope="col" class=${name} aria-sort=${by === name ? (name === 'name' ? 'ascending' : 'descending') : undefined}>
              <button type="button" class="sort" onClick=${sort(name)}>${label}</button>
            </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${shown.map(row => html`<${Row} key=${row.key} row=${row} range=${range} columns=${columns} time=${timeOf(query)} />`)}
      </tbody>
    </table>`
    }
    ${
      all.length > shown.length &&
      html`<button type="button" class="quiet more" onClick=${() => goTo({ all: id })}>All ${all.length}</button>`
    }
  </section>`
}

/** @param {CellProps & { columns: Record<string, string>, time: URLSearchParams }} props */
function Row({ row, range, columns, time }) {
  const { capability, route, now, before } = row
  const cell = (/** @type {string} */ name, /** @type {unknown} */ content) =>
    html`<td role="cell" class=${name} data-label=${columns[name]}>${content}</td>`
  const count = (/** @type {number} */ value, /** @type {keyof typeof LABELS} */ name) =>
    html`<${Count} value=${value} range=${range} behind=${rowsBehind(row, name)} label=${LABELS[name](value)} />`
  const rate = (/** @type {'errorRate' | 'fallbackRate'} */ name) =>
    html`<${Compared} now=${now[name]} before=${before && before[name]} kind="share" />`
  return html`<tr role="row">
    <th role="rowheader" scope="row" class="name">
      ${capability === null ? 'no capability' : html`<a href=${capabilityUrl(capability, time)}>${capability}</a>`}
      ${route && html` <span class="on">${route}</span>`}
    </th>
    ${cell('count', count(now.count, 'count'))}
    ${cell('failed', html`${count(now.failed, 'failed')} ${rate('errorRate')}`)}
    ${cell('p95', html`<${Slow} ms=${now.p95} subject=${row} range=${range}><${Compared} now=${now.p95} before=${before && before.p95} kind="duration" /><//>`)}
    ${cell('fallbacks', html`${count(now.fallbacks, 'fallbacks')} ${rate('fallbackRate')}`)}
    ${cell('refused', count(row.refused, 'refused'))}
  </tr>`
}

const LABELS = {
  count: (/** @type {number} */ count) => nounFor(count, 'request'),
  failed: (/** @type {number} */ count) => nounFor(count, 'failed request'),
  fallbacks: (/** @type {number} */ count) => nounFor(count, 'fallback'),
  refused: () => 'refused or skipped',
}
