/** The page of one capability: its requests over time, what went wrong, and each of its routes. */
import { attemptsUrl, capabilityUrl, listUrl, navigate } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html, useMemo } from '../lib/view.js'
import { seriesOf } from '../model/series.js'
import { readWindow, statsPath, withRange } from '../model/time-window.js'
import { Notice } from '../parts/notice.js'
import { Breakdown } from './breakdown.js'
import { CapabilityStats } from './capability-stats.js'
import { SpanChoice, Timeline } from './timeline.js'
import { IfKnown } from './unknown-capability.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats */

const REFRESH_MS = 10_000

/** @param {{ id: string, query: URLSearchParams }} props */
export function CapabilityPage({ id, query }) {
  const time = readWindow(query, Date.now())
  const { span, window, selected } = time
  const range = selected ?? window
  const filters = { capability: id }
  const whole = useData(statsPath(window, span, filters), /** @type {Stats | null} */ (null))
  const part = useData(statsPath(range, span, filters), /** @type {Stats | null} */ (null))
  useRefresh(() => {
    whole.reload()
    part.reload()
  }, REFRESH_MS)
  const urlOf = (/** @type {URLSearchParams} */ next) => capabilityUrl(id, next)
  const select = (/** @type {import('../model/time-window.js').Range | null} */ chosen) =>
    navigate(urlOf(withRange(query, chosen)))
  const failure = whole.failure ?? part.failure
  const shown = { id, time, stats: whole.data, part: part.data, onSelect: select }
  return html`
    <header class="page-head">
      <h1>${id}</h1>
      <a href=${listUrl(new URLSearchParams(filters))}>All requests</a>
      <a href=${attemptsUrl(new URLSearchParams(filters))}>All attempts</a>
      <${SpanChoice} chosen=${time.name} query=${query} urlOf=${urlOf} />
    </header>
    ${failure && html`<${Notice} message=${failure} onRetry=${part.reload} />`}
    ${
      hasNone(whole.data) && hasNone(part.data)
        ? html`<${IfKnown} id=${id}><${Calls} ...${shown} /><//>`
        : html`<${Calls} ...${shown} />`
    }
  `
}

/** @param {Stats | null} stats */
function hasNone(stats) {
  return stats?.totals.length === 0
}

/**
 * @param {{ id: string, time: import('../model/time-window.js').TimeWindow, stats: Stats | null, part: Stats | null,
 *   onSelect: (range: import('../model/time-window.js').Range | null) => void }} props
 */
function Calls({ id, time, stats, part, onSelect }) {
  const range = time.selected ?? time.window
  const filters = { capability: id }
  const series = useMemo(() => part && seriesOf(part), [part])
  return html`
    ${stats && html`<${Timeline} stats=${stats} shown=${part} time=${time} filters=${filters} onSelect=${onSelect} />`}
    ${part && html`<${Breakdown} stats=${part} range=${range} filters=${filters} />`}
    ${series?.map(one => html`<${CapabilityStats} key=${one.capability} series=${one} range=${range} />`)}
    ${series?.length === 0 && html`<p class="empty">No calls in this time.</p>`}
  `
}
