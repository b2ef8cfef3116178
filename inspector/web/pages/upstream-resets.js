import { formatMinute } from '../lib/format.js'
import { auditUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html } from '../lib/view.js'

/** @typedef {import('../../../src/model/audit.ts').AuditRecord} AuditRecord */

const REFRESH_MS = 60_000
const WIDTH = 1000

/**
 * When people reset an upstream, on the time axis of its quotas and circuits. Only operators may read that, so others see nothing.
 * @param {{ id: string, window: import('../model/time-window.js').Range }} props
 */
export function UpstreamResets({ id, window }) {
  const of = { action: 'upstream.reset', subject: id }
  const times = { since: String(window.since), until: String(window.until), limit: '200' }
  const path = `/v1/audit?${new URLSearchParams({ ...of, ...times })}`
  const { data, reload } = useData(path, /** @type {{ items: AuditRecord[] } | null} */ (null))
  useRefresh(reload, REFRESH_MS)
  if (!data) return null
  const { items } = data
  return html`<figure class="resets">
    <figcaption>
      <strong>resets by people</strong> <span>${describe(items)}</span>
      <a href=${auditUrl(new URLSearchParams(of))}>in the audit</a>
    </figcaption>
    ${items.length > 0 && html`<${Marks} resets=${items} window=${window} />`}
  </figure>`
}

/** @param {readonly AuditRecord[]} resets newest first */
function describe(resets) {
  const [last] = resets
  return last ? `${resets.length}, the last ${whenAndWho(last)}` : 'none in this time'
}

/** @param {AuditRecord} reset */
function whenAndWho({ time, actor }) {
  return `${formatMinute(time)} by ${actor}`
}

/** @param {{ resets: readonly AuditRecord[], window: import('../model/time-window.js').Range }} props */
function Marks({ resets, window: { since, until } }) {
  const at = (/** @type {string} */ time) => ((Date.parse(time) - since) / (until - since)) * WIDTH
  return html`<svg class="plot circuit" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="Resets over time: ${describe(resets)}">
    ${resets.map(
      reset => html`<rect class="reset" key=${reset.seq} x=${at(reset.time) - 2} width="4" height="12">
        <title>${whenAndWho(reset)}</title>
      </rect>`,
    )}
  </svg>`
}
