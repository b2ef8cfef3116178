/** The page of one upstream: its state now, its quotas and circuits over time, its capabilities and its routes. */
import { navigate, overviewUrl, upstreamUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html, useMemo, useState } from '../lib/view.js'
import { capabilityRows, routeRows } from '../model/overview.js'
import { readWindow, statsPath, withRange } from '../model/time-window.js'
import { Notice } from '../parts/notice.js'
import { Breakdown } from './breakdown.js'
import { CAPABILITY_COLUMNS, ROUTE_COLUMNS } from './overview.js'
import { SpanChoice, Timeline } from './timeline.js'
import { UpstreamHistory } from './upstream-history.js'
import { UpstreamState } from './upstream-state.js'
import { WorstTable } from './worst-table.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../../../src/observe/upstream-status.ts').UpstreamStatus} UpstreamStatus
 * @typedef {import('../model/time-window.js').TimeWindow} TimeWindow
 */

const REFRESH_MS = 10_000

/** @param {{ id: string, query: URLSearchParams }} props */
export function UpstreamPage({ id, query }) {
  const time = readWindow(query, Date.now())
  const { span, window, selected } = time
  const range = selected ?? window
  const filters = { upstream: id }
  const totals = { ...filters, buckets: 'false', compare: 'true' }
  const whole = useData(statsPath(window, span, totals), /** @type {Stats | null} */ (null))
  const part = useData(statsPath(range, span, totals), /** @type {Stats | null} */ (null))
  const now = useData('/v1/upstreams', /** @type {{ items: UpstreamStatus[] } | null} */ (null))
  useRefresh(() => {
    for (const one of [whole, part, now]) one.reload()
  }, REFRESH_MS)
  const urlOf = (/** @type {URLSearchParams} */ next) => upstreamUrl(id, next)
  const all = now.data?.items ?? null
  if (all && !all.some(one => one.id === id) && whole.data?.totals.length === 0)
    return html`<${NoSuchUpstream} id=${id} all=${all} />`
  const failure = part.failure ?? now.failure
  return html`
    <header class="page-head">
      <h1>${id}</h1>
      <${SpanChoice} chosen=${time.name} query=${query} urlOf=${urlOf} />
    </header>
    ${failure && html`<${Notice} message=${failure} onRetry=${part.reload} />`}
    <${Now} id=${id} time=${time} all=${all} onReset=${now.reload} />
    <${Calls} id=${id} time=${time} query=${query} stats=${whole.data} part=${part.data} urlOf=${urlOf} />
  `
}

/**
 * The state now, and its history on the time axis of the calls.
 * @param {{ id: string, time: TimeWindow, all: readonly UpstreamStatus[] | null, onReset: () => void }} props
 */
function Now({ id, time, all, onReset }) {
  const [resets, setResets] = useState(0)
  const reset = () => {
    onReset()
    // The history shows the reset at once.
    setResets(count => count + 1)
  }
  return html`
    ${all && html`<${State} id=${id} all=${all} onReset=${reset} />`}
    <${UpstreamHistory} key=${resets} id=${id} time=${time} />
  `
}

/**
 * @param {{ id: string, time: TimeWindow, query: URLSearchParams, stats: Stats | null, part: Stats | null,
 *   urlOf: (query: URLSearchParams) => string }} props
 */
function Calls({ id, time, query, stats, part, urlOf }) {
  const range = time.selected ?? time.window
  const filters = { upstream: id }
  const rows = useMemo(
    () => part && { capabilities: capabilityRows(part), routes: routeRows(part) },
    [part],
  )
  const select = (/** @type {import('../model/time-window.js').Range | null} */ chosen) =>
    navigate(urlOf(withRange(query, chosen)))
  return html`
    ${stats && html`<${Timeline} stats=${stats} shown=${part} time=${time} filters=${filters} onSelect=${select} />`}
    ${part && html`<${Breakdown} stats=${part} range=${range} filters=${filters} />`}
    ${rows && html`<${WorstTable} id="capabilities" title="Worst capabilities" rows=${rows.capabilities} range=${range} query=${query} columns=${CAPABILITY_COLUMNS} urlOf=${urlOf} />`}
    ${rows && html`<${WorstTable} id="routes" title="Worst routes" rows=${rows.routes} range=${range} query=${query} columns=${ROUTE_COLUMNS} urlOf=${urlOf} />`}
  `
}

/** @param {{ id: string, all: readonly UpstreamStatus[] }} props */
function NoSuchUpstream({ id, all }) {
  return html`<header class="page-head"><h1>${id}</h1></header>
    <div class="empty" role="alert">
      <h2>No such upstream</h2>
      <p>No card uses an upstream <code>${id}</code>, and there is no call of it in this time. This gateway has:</p>
      <ul class="meant">${all.map(one => html`<li><a href=${upstreamUrl(one.id)}>${one.id}</a></li>`)}</ul>
    </div>`
}

/** @param {{ id: string, all: readonly UpstreamStatus[], onReset: () => void }} props */
function State({ id, all, onReset }) {
  const status = all.find(one => one.id === id)
  if (status) return html`<${UpstreamState} status=${status} onReset=${onReset} />`
  return html`<p class="empty">No card uses this upstream. <a href=${overviewUrl()}>Overview</a></p>`
}
