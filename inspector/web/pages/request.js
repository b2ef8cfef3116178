/** The page of one request: what happened, attempt by attempt, and why. */
import { access, getAnswer } from '../lib/api.js'
import { formatDuration, formatFullTime } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { approvalUrl, listUrl, navigate } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'
import { describeRequest } from '../model/story.js'
import { CopyButton } from '../parts/copy-button.js'
import { DownloadButton } from '../parts/download-button.js'
import { Fact } from '../parts/fact.js'
import { ResultLamp } from '../parts/lamp.js'
import { Notice } from '../parts/notice.js'
import { ErrorDetails } from './error-details.js'
import { Payload } from './payload.js'
import { PlanTable } from './plan.js'
import { Raw } from './raw.js'
import { Waterfall } from './waterfall.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/envelope.ts').Meta} Meta
 */

/** @param {{ id: string, back: string }} props */
export function RequestPage({ id, back }) {
  const path = `/v1/requests/${encodeURIComponent(id)}`
  const { data, failure, reload } = useData(
    path,
    /** @type {{ data: RequestDetail, meta: Meta } | null} */ (null),
    getAnswer,
  )
  useKeys({ Escape: () => navigate(back) })
  return html`
    <p class="back"><a href=${back}>← Requests</a></p>
    ${failure && html`<${Notice} message=${failure} onRetry=${reload} />`}
    ${!data && !failure && html`<p class="empty">Loading…</p>`}
    ${data && html`<${RequestView} request=${data.data} meta=${data.meta} />`}
  `
}

/** @param {{ request: RequestDetail, meta: Meta }} props */
function RequestView({ request, meta: told }) {
  const { meta, plan, error } = request
  return html`<article class="request">
    <header class=${request.ok ? 'ok' : 'failed'}>
      <h1>
        ${request.capability_id ?? 'No capability'} <${ResultLamp} ok=${request.ok} code=${request.code} />
      </h1>
      <p class="story">${describeRequest(request)}</p>
      <${Facts} request=${request} />
      <${Actions} request=${request} />
    </header>
    ${meta && meta.attempts.length > 0 && html`<${Waterfall} request=${request} attempts=${meta.attempts} />`}
    ${error && html`<${ErrorDetails} error=${error} />`}
    ${meta && meta.warnings.length > 0 && html`<${Warnings} warnings=${meta.warnings} />`}
    ${plan && html`<${PlanTable} plan=${plan} />`}
    <${Payload} data=${request.data} meta=${told} />
    <${Raw} request=${request} />
  </article>`
}

/** @param {{ request: RequestDetail }} props */
function Facts({ request }) {
  const {
    request_id,
    correlation_id,
    batch_id,
    time,
    caller,
    duration_ms,
    http_status,
    effect,
    upstream,
    trace,
  } = request
  const { approval_id: approval } = request.meta ?? {}
  const sameCaller = new URLSearchParams({ caller })
  return html`<dl class="facts">
    <${Fact} name="Request">
      <code>${request_id}</code> <${CopyButton} text=${request_id} label="Copy" />
    <//>
    ${correlation_id && html`<${Fact} name="Correlation id"><a href=${listUrl(new URLSearchParams({ correlation_id }))}>${correlation_id}</a><//>`}
    <${Fact} name="Time"><time datetime=${time}>${formatFullTime(time)}</time><//>
    <${Fact} name="Caller"><a href=${listUrl(sameCaller)}>${caller}</a><//>
    <${Fact} name="Duration">${formatDuration(duration_ms)}<//>
    <${Fact} name="HTTP status">${http_status}<//>
    ${trace && html`<${Fact} name="Deadline">${formatDuration(trace.timeout_ms)}<//>`}
    ${effect && html`<${Fact} name="Effect">${effect}<//>`}
    ${upstream && html`<${Fact} name="Upstream">${upstream}<//>`}
    ${batch_id && html`<${Fact} name="Batch"><a href=${listUrl(new URLSearchParams({ batch_id }))}><code>${batch_id}</code></a><//>`}
    ${batch_id && html`<${Fact} name="Step">${stepOf(request)}<//>`}
    ${approval && html`<${Fact} name="Approval"><a href=${approvalUrl(approval)}><code>${approval}</code></a><//>`}
  </dl>`
}

/** @param {RequestDetail} request */
function stepOf({ batch_step, batch_item }) {
  return batch_item === null ? batch_step : `${batch_step}, item ${batch_item}`
}

/** @param {{ request: RequestDetail }} props */
function Actions({ request }) {
  const { request_id, capability_id, plan, reason } = request
  const isDecided = plan && reason !== 'CACHE_HIT'
  const sameCapability =
    capability_id && listUrl(new URLSearchParams({ capability: capability_id }))
  return html`<p class="actions">
    ${sameCapability && html`<a href=${sameCapability}>All requests of this capability</a>`}
    ${capability_id && html`<${CopyButton} text=${explainCommand(request)} label="Copy explain call as curl" />`}
    ${
      isDecided &&
      html`<${DownloadButton}
        path="/v1/requests/${request_id}/export"
        file="${request_id}.json"
        label="Export for replay"
      />`
    }
  </p>`
}

/**
 * A command that asks for the current plan for the same input, without sending the call upstream. If the
 * journal did not store the input, the user has to fill it in.
 * @param {RequestDetail} request
 */
export function explainCommand({ capability_id, input }) {
  const body = JSON.stringify(input ?? {}).replaceAll("'", String.raw`'\''`)
  const key = access.state.key === '' ? [] : ["-H 'authorization: Bearer KEY'"]
  return [
    `curl -s ${location.origin}/v1/capabilities/${capability_id}/explain`,
    "-H 'content-type: application/json'",
    ...key,
    `-d '${body}'`,
  ].join(' ')
}

/** @param {{ warnings: readonly import('../../../src/model/warnings.ts').Warning[] }} props */
function Warnings({ warnings }) {
  return html`<section aria-labelledby="warnings">
    <h2 id="warnings">Warnings</h2>
    <ul class="warnings">
      ${warnings.map(({ code, message }) => html`<li><code>${code}</code> ${message}</li>`)}
    </ul>
  </section>`
}
