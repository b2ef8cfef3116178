import { capabilityUrl, navigate } from '../lib/router.js'
import { html } from '../lib/view.js'
import { arrange } from '../model/overview.js'
import { Compared, Count, requestsUrl } from '../parts/count.js'

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
        ${shown.map(row => html`<${Row} key=${row.key} row=${row} range=${range} columns=${columns} />`)}
      </tbody>
    </table>`
    }
    ${
      all.length > shown.length &&
      html`<button type="button" class="quiet more" onClick=${() => goTo({ all: id })}>All ${all.length}</button>`
    }
  </section>`
}

/** @param {CellProps & { columns: Record<string, string> }} props */
function Row({ row, range, columns }) {
  const { capability, route, now, before } = row
  const cell = (/** @type {string} */ name, /** @type {unknown} */ content) =>
    html`<td role="cell" class=${name} data-label=${columns[name]}>${content}</td>`
  const count = (/** @type {number} */ value, /** @type {keyof typeof LABELS} */ name) =>
    html`<${Count} value=${value} range=${range} filters=${filtersOf(row, name)} label=${LABELS[name]} />`
  const rate = (/** @type {'errorRate' | 'fallbackRate'} */ name) =>
    html`<${Compared} now=${now[name]} before=${before && before[name]} kind="share" />`
  return html`<tr role="row">
    <th role="rowheader" scope="row" class="name">
      ${capability === null ? 'no capability' : html`<a href=${capabilityUrl(capability)}>${capability}</a>`}
      ${route && html` <span class="on">${route}</span>`}
    </th>
    ${cell('count', count(now.count, 'count'))}
    ${cell('failed', html`${count(now.failed, 'failed')} ${rate('errorRate')}`)}
    ${cell('p95', html`<${Slow} row=${row} range=${range} />`)}
    ${cell('fallbacks', html`${!route && count(now.fallbacks, 'fallbacks')} ${rate('fallbackRate')}`)}
    ${cell('refused', count(row.refused, 'refused'))}
  </tr>`
}

const LABELS = {
  count: 'requests',
  failed: 'failed requests',
  fallbacks: 'fallbacks',
  refused: 'refused or skipped',
}

/**
 * The filters that find the requests of a cell; null where no filter finds just those.
 * @param {WorstRow} row
 * @param {keyof typeof LABELS} name
 */
function filtersOf({ capability, route }, name) {
  if (capability === null) return null
  const ofCapability = {
    count: {},
    failed: { outcome: 'failed' },
    fallbacks: { reason: 'CARD_FALLBACK' },
    refused: { outcome: 'refused' },
  }
  const ofRoute = {
    count: { tried: route },
    failed: { failed_on: route },
    fallbacks: {},
    refused: { skipped_on: route },
  }
  return { capability, ...(route ? ofRoute : ofCapability)[name] }
}

/** @param {CellProps} props */
function Slow({ row: { capability, route, now, before }, range }) {
  const value = html`<${Compared} now=${now.p95} before=${before && before.p95} kind="duration" />`
  if (now.p95 === null || route || capability === null) return value
  const slow = { capability, min_duration_ms: String(Math.floor(now.p95)) }
  return html`<a class="count" href=${requestsUrl(range, slow)}>${value}</a>`
}
