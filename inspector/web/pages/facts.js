/** The facts of one request. A number leads to the requests with the same. */
import { formatDuration, formatFullTime } from '../lib/format.js'
import { approvalUrl, listUrl, upstreamUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { timeAround } from '../model/time-window.js'
import { CopyButton } from '../parts/copy-button.js'
import { Fact } from '../parts/fact.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail */

/** @param {{ request: RequestDetail }} props */
export function Facts({ request }) {
  const { time, caller, attempts, options, effect, upstream, trace } = request
  return html`<dl class="facts">
    <${Ids} request=${request} />
    <${Fact} name="Time"><time datetime=${time}>${formatFullTime(time)}</time><//>
    <${Fact} name="Caller"><${Found} by=${{ caller }}>${caller}<//><//>
    <${Outcome} request=${request} />
    <${Fact} name="Attempts">${attempts}<//>
    ${trace && html`<${Fact} name="Deadline">${formatDuration(trace.timeout_ms)}<//>`}
    ${options && html`<${Fact} name="Options"><code>${describeOptions(options)}</code><//>`}
    ${effect && html`<${Fact} name="Effect">${effect}<//>`}
    ${upstream && html`<${Fact} name="Upstream"><a href=${upstreamUrl(upstream, timeAround(time, Date.now()))}>${upstream}</a><//>`}
    <${Others} request=${request} />
  </dl>`
}

/**
 * A link to the requests that a filter finds.
 * @param {{ by: Record<string, string>, title?: string, children?: import('../lib/view.js').Children }} props
 */
function Found({ by, title, children }) {
  return html`<a href=${listUrl(new URLSearchParams(by))} title=${title}>${children}</a>`
}

/** @param {{ request: RequestDetail }} props */
function Ids({ request: { request_id, trace_id, correlation_id } }) {
  return html`
    <${Fact} name="Request">
      <code>${request_id}</code> <${CopyButton} text=${request_id} label="Copy" />
    <//>
    ${
      trace_id &&
      html`<${Fact} name="Trace">
        <${Found} by=${{ q: trace_id }} title="All requests of this trace"><code>${trace_id}</code><//>
        ${' '}<${CopyButton} text=${trace_id} label="Copy" />
      <//>`
    }
    ${correlation_id && html`<${Fact} name="Correlation id"><${Found} by=${{ correlation_id }}>${correlation_id}<//><//>`}
  `
}

/** @param {{ request: RequestDetail }} props */
function Outcome({ request: { capability_id, duration_ms, http_status } }) {
  if (duration_ms === null || http_status === null) {
    return html`<${Fact} name="Duration">not known<//><${Fact} name="HTTP status">not known<//>`
  }
  const asLong = { min_duration_ms: String(Math.floor(duration_ms)) }
  const slow = capability_id === null ? asLong : { capability: capability_id, ...asLong }
  return html`
    <${Fact} name="Duration"><${Found} by=${slow} title="Those that took as long, or longer">${formatDuration(duration_ms)}<//><//>
    <${Fact} name="HTTP status"><${Found} by=${{ http_status: String(http_status) }}>${http_status}<//><//>
  `
}

/** @param {{ request: RequestDetail }} props */
function Others({ request }) {
  const { batch_id, idempotency_key_hash: keyHash, meta } = request
  const { approval_id: approval } = meta ?? {}
  const sameKey = `All requests with this key; its SHA-256 is ${keyHash}`
  return html`
    ${batch_id && html`<${Fact} name="Batch"><${Found} by=${{ batch_id }}><code>${batch_id}</code><//><//>`}
    ${batch_id && html`<${Fact} name="Step">${stepOf(request)}<//>`}
    ${keyHash && html`<${Fact} name="Idempotency-Key"><${Found} by=${{ q: keyHash }} title=${sameKey}><code>${keyHash.slice(0, 12)}…</code><//><//>`}
    ${approval && html`<${Fact} name="Approval"><a href=${approvalUrl(approval)}><code>${approval}</code></a><//>`}
  `
}

/** @param {NonNullable<RequestDetail['options']>} options */
function describeOptions(options) {
  const words = Object.entries(options).map(([name, value]) =>
    value === true ? name : `${name}=${value}`,
  )
  return words.join(' ')
}

/** @param {RequestDetail} request */
function stepOf({ batch_step, batch_item }) {
  const step = batch_step ?? ''
  return batch_item === null ? step : `${step}, item ${batch_item}`
}
