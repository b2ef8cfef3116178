/** The page with success and latency by capability and route, and the current state of each upstream. */
import { navigate, routesUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html, useMemo } from '../lib/view.js'
import { seriesOf } from '../model/series.js'
import { Notice } from '../parts/notice.js'
import { CapabilityStats } from './capability-stats.js'
import { Upstreams } from './upstreams.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../../../src/observe/upstream-status.ts').UpstreamStatus} UpstreamStatus
 */

const MINUTE = 60_000
const REFRESH_MS = 10_000

/** @type {Record<string, readonly [label: string, span: number]>} */
const SPANS = {
  '1h': ['Last hour', 60 * MINUTE],
  '6h': ['6 hours', 6 * 60 * MINUTE],
  '24h': ['24 hours', 24 * 60 * MINUTE],
  '7d': ['7 days', 7 * 24 * 60 * MINUTE],
}
const DEFAULT_SPAN = '1h'

/** @param {{ query: URLSearchParams }} props */
export function RoutesPage({ query }) {
  const chosen = query.get('span') ?? ''
  const span = Object.hasOwn(SPANS, chosen) ? chosen : DEFAULT_SPAN
  const capability = query.get('capability')
  const stats = useData(statsPath(span, capability), /** @type {Stats | null} */ (null))
  const upstreams = useData(
    '/v1/upstreams',
    /** @type {{ items: UpstreamStatus[] } | null} */ (null),
  )
  useRefresh(() => {
    stats.reload()
    upstreams.reload()
  }, REFRESH_MS)
  const series = useMemo(() => stats.data && seriesOf(stats.data), [stats.data])
  return html`
    <header class="page-head">
      <h1>Routes</h1>
      <${SpanChoice} span=${span} query=${query} />
    </header>
    ${stats.failure && html`<${Notice} message=${stats.failure} onRetry=${stats.reload} />`}
    ${capability && html`<p class="lead">Showing only <code>${capability}</code>. <a href=${routesUrl()}>Show all</a></p>`}
    ${upstreams.data && html`<${Upstreams} upstreams=${upstreams.data.items} onReset=${upstreams.reload} />`}
    ${series?.map(one => html`<${CapabilityStats} key=${one.capability} series=${one} />`)}
    ${series?.length === 0 && html`<p class="empty">No calls in this time span.</p>`}
  `
}

/** @param {{ span: string, query: URLSearchParams }} props */
function SpanChoice({ span, query }) {
  return html`<p class="choice" role="group" aria-label="Time span">
    ${Object.entries(SPANS).map(([name, [label]]) => {
      const next = new URLSearchParams(query)
      next.set('span', name)
      const choose = () => navigate(routesUrl(next), { replace: true })
      return html`<button type="button" aria-pressed=${name === span} onClick=${choose}>${label}</button>`
    })}
  </p>`
}

/**
 * Rounds the start down to the minute, the smallest interval of the counters, so that the path changes at
 * most once a minute.
 * @param {string} span
 * @param {string | null} capability
 */
function statsPath(span, capability) {
  const [, ms = 0] = SPANS[span] ?? []
  const since = Math.floor((Date.now() - ms) / MINUTE) * MINUTE
  const query = new URLSearchParams({ since: String(since), ...(capability && { capability }) })
  return `/v1/stats?${query}`
}
