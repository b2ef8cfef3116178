/** The page that shows where something is wrong, before anybody knows which request to look at. */
import { useKeys } from '../lib/keys.js'
import { openFound, openId } from '../lib/open-id.js'
import { navigate, overviewUrl, upstreamUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html, useMemo, useRef } from '../lib/view.js'
import { exactId } from '../model/ids.js'
import { capabilityRows, routeRows } from '../model/overview.js'
import { readWindow, statsPath, timeOf, withRange } from '../model/time-window.js'
import { Notice } from '../parts/notice.js'
import { Breakdown } from './breakdown.js'
import { SpanChoice, Timeline } from './timeline.js'
import { WorstTable } from './worst-table.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../../../src/observe/upstream-status.ts').UpstreamStatus} UpstreamStatus
 */

const REFRESH_MS = 10_000
const TOTALS = { buckets: 'false', compare: 'true' }

export const CAPABILITY_COLUMNS = {
  name: 'Capability',
  count: 'Requests',
  failed: 'Failed',
  p95: 'p95',
  fallbacks: 'Fell back',
  refused: 'Refused',
}
export const ROUTE_COLUMNS = {
  ...CAPABILITY_COLUMNS,
  name: 'Route',
  count: 'Tried',
  refused: 'Skipped',
}

/** @param {{ query: URLSearchParams }} props */
export function OverviewPage({ query }) {
  const time = readWindow(query, Date.now())
  const { span, window, selected } = time
  const range = selected ?? window
  const whole = useData(statsPath(window, span, TOTALS), /** @type {Stats | null} */ (null))
  const part = useData(statsPath(range, span, TOTALS), /** @type {Stats | null} */ (null))
  useRefresh(() => {
    whole.reload()
    part.reload()
  }, REFRESH_MS)
  const rows = useMemo(
    () => part.data && { capabilities: capabilityRows(part.data), routes: routeRows(part.data) },
    [part.data],
  )
  const failure = whole.failure ?? part.failure
  const select = (/** @type {import('../model/time-window.js').Range | null} */ chosen) =>
    navigate(overviewUrl(withRange(query, chosen)))
  return html`
    <header class="page-head">
      <h1>Overview</h1>
      <${SpanChoice} chosen=${time.name} query=${query} urlOf=${overviewUrl} />
    </header>
    ${failure && html`<${Notice} message=${failure} onRetry=${part.reload} />`}
    <${Upstreams} time=${timeOf(query)} />
    ${whole.data && html`<${Timeline} stats=${whole.data} shown=${part.data} time=${time} filters=${{}} onSelect=${select} />`}
    ${part.data && html`<${Breakdown} stats=${part.data} range=${range} filters=${{}} />`}
    ${rows && html`<${Search} query=${query} />`}
    ${rows && html`<${WorstTable} id="capabilities" title="Worst capabilities" rows=${rows.capabilities} range=${range} query=${query} columns=${CAPABILITY_COLUMNS} urlOf=${overviewUrl} />`}
    ${rows && html`<${WorstTable} id="routes" title="Worst routes" rows=${rows.routes} range=${range} query=${query} columns=${ROUTE_COLUMNS} urlOf=${overviewUrl} />`}
  `
}

/** @param {{ query: URLSearchParams }} props */
function Search({ query }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null))
  useKeys({ '/': () => field.current?.focus() })
  const search = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLInputElement} */ (event.target)
    const id = exactId(value)
    if (id) return void openId(id)
    const next = new URLSearchParams(query)
    next.set('q', value)
    navigate(overviewUrl(next), { typedIn: 'q' })
  }
  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') openFound(field.current?.value ?? '')
  }
  return html`<search class="worst-search">
    <label>
      <span class="label">Capability, route or id</span>
      <input type="search" ref=${field} value=${query.get('q') ?? ''} onInput=${search} onKeyDown=${enter} placeholder="any" autocomplete="off" spellcheck=${false} />
    </label>
  </search>`
}

/**
 * Links to the page of each upstream; what keeps calls from one stands beside its name.
 * @param {{ time: URLSearchParams }} props
 */
function Upstreams({ time }) {
  const { data, reload } = useData(
    '/v1/upstreams',
    /** @type {{ items: UpstreamStatus[] } | null} */ (null),
  )
  useRefresh(reload, REFRESH_MS)
  return html`<ul class="upstream-links" aria-label="Upstreams">
    ${data?.items.map(
      ({ id, routes, pools }) => html`<li>
        <a href=${upstreamUrl(id, time)}>${id}</a>
        ${routes
          .filter(({ breaker }) => breaker.state !== 'closed')
          .map(({ route }) => html` <span class="blocked">circuit of ${route} open</span>`)}
        ${pools
          .filter(({ exhausted }) => exhausted)
          .map(({ pool }) => html` <span class="blocked">${pool} used up</span>`)}
      </li>`,
    )}
  </ul>`
}
