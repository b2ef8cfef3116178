import { formatAxisTime, formatCount } from '../lib/format.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html } from '../lib/view.js'
import { circuitBands, quotaLine } from '../model/upstream-history.js'
import { Notice } from '../parts/notice.js'
import { UpstreamResets } from './upstream-resets.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').UpstreamHistory} History
 * @typedef {import('../model/time-window.js').TimeWindow} TimeWindow
 * @typedef {import('../model/time-window.js').Range} Range
 */

const REFRESH_MS = 60_000
const WIDTH = 1000
const HEIGHT = 60

/**
 * The quotas and circuits of an upstream, on the time axis of its requests.
 * @param {{ id: string, time: TimeWindow }} props
 */
export function UpstreamHistory({ id, time: { window, span } }) {
  const times = { since: String(window.since), until: String(window.until), bucket: span.bucket }
  const path = `/v1/upstreams/${encodeURIComponent(id)}/history?${new URLSearchParams(times)}`
  const { data, failure, reload } = useData(path, /** @type {History | null} */ (null))
  useRefresh(reload, REFRESH_MS)
  return html`<section class="history" aria-labelledby="history">
    <h2 id="history">Quotas and circuits over time</h2>
    ${failure && html`<${Notice} message=${failure} onRetry=${reload} />`}
    ${data?.quotas.map(quota => html`<${Quota} key=${`${quota.pool} ${quota.credential}`} quota=${quota} window=${window} />`)}
    ${data?.circuits.map(circuit => html`<${Circuit} key=${circuit.route} circuit=${circuit} window=${window} bucketMs=${span.bucketMs} />`)}
    ${data && data.quotas.length + data.circuits.length === 0 && html`<p class="none">No quota was reported, and no circuit was open.</p>`}
    <${UpstreamResets} id=${id} window=${window} />
    <p class="time-axis" aria-hidden="true">
      <span>${formatAxisTime(window.since, span.ms)}</span><span>${formatAxisTime(window.until, span.ms)}</span>
    </p>
  </section>`
}

/** @param {{ quota: History['quotas'][number], window: Range }} props */
function Quota({ quota: { pool, credential, points }, window }) {
  const most = Math.max(1, ...points.map(({ limit, remaining }) => limit ?? remaining))
  const least = Math.min(...points.map(({ remaining }) => remaining))
  const last = points.at(-1)?.remaining ?? 0
  return html`<figure>
    <figcaption>
      <strong>${pool}</strong> ${credential && html`<small>${credential}</small>`}
      <span>at least ${formatCount(least)} left, last ${formatCount(last)} of ${formatCount(most)}</span>
    </figcaption>
    <svg class="plot quota" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
      aria-label="Left of ${pool} over time: at least ${formatCount(least)}, at last ${formatCount(last)} of ${formatCount(most)}">
      <path class="grid" d="M0 1H${WIDTH}" />
      <path class="line" d=${quotaLine(points, window, { width: WIDTH, height: HEIGHT, most })} />
      <path class="base" d="M0 ${HEIGHT - 1}H${WIDTH}" />
    </svg>
  </figure>`
}

const STATES = { open: 'open', half_open: 'half open' }

/** @param {{ circuit: History['circuits'][number], window: Range, bucketMs: number }} props */
function Circuit({ circuit: { route, points }, window, bucketMs }) {
  const bands = circuitBands(points, window, bucketMs)
  const minutes = points.reduce((sum, point) => sum + point.minutes, 0)
  const words = `not closed in ${formatCount(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
  return html`<figure>
    <figcaption><strong>circuit of ${route}</strong> <span>${words}</span></figcaption>
    <svg class="plot circuit" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="Circuit of ${route} over time: ${words}">
      <rect class="closed" width=${WIDTH} height="12" />
      ${bands.map(
        ({
          from,
          to,
          state,
          time,
        }) => html`<rect class=${state} x=${from * WIDTH} width=${Math.max(2, (to - from) * WIDTH)} height="12">
          <title>${`${formatAxisTime(time, 0)}: ${STATES[state]}`}</title>
        </rect>`,
      )}
    </svg>
  </figure>`
}
