/** Actions on a recorded request: copy it, explain it now, run it again, decide it again, compare it. */
import { ApiError, access, authorized, getData, messageOf, send } from '../lib/api.js'
import { parseExact } from '../lib/exact-json.js'
import { compareUrl, listUrl, navigate, requestUrl } from '../lib/router.js'
import { html, useState } from '../lib/view.js'
import { asClientCode, asCurl, cacheControlOf, copyOf, pathOf } from '../model/copied-call.js'
import { reasonNotToSend } from '../model/copied-input.js'
import { explanationOf } from '../model/explained.js'
import { hasDecisions } from '../model/form.js'
import { differencesBetween, questionBefore } from '../model/run-again.js'
import { CopyButton } from '../parts/copy-button.js'
import { DownloadButton } from '../parts/download-button.js'
import { PlanTable } from './plan.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/plan.ts').Plan} Plan
 * @typedef {import('../../../src/call/replay/compare.ts').Difference} Difference
 * @typedef {{ title: string, text?: string | undefined, more?: readonly string[], link?: string, plan?: Plan, differences?: readonly Difference[] }} Result
 */

/** @param {{ request: RequestDetail & { trace_url?: string | null } }} props */
export function Actions({ request }) {
  const [result, setResult] = useState(/** @type {Result | null} */ (null))
  const { capability_id } = request
  const show = (/** @type {() => Promise<Result>} */ act) => async () => {
    try {
      setResult(await act())
    } catch (error) {
      setResult({ title: 'Not done', text: messageOf(error) })
    }
  }
  return html`<${Links} request=${request} />
    ${capability_id !== null && html`<${Buttons} request=${request} show=${show} />`}
    ${result && html`<${ResultView} result=${result} />`}`
}

/** @param {{ request: RequestDetail & { trace_url?: string | null } }} props */
function Links({ request: { capability_id, request_id, trace_url: trace } }) {
  const compare = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    const field = /** @type {HTMLFormElement} */ (event.target).elements.namedItem('other')
    const other = /** @type {HTMLInputElement} */ (field).value.trim()
    if (other !== '') navigate(compareUrl(request_id, other))
  }
  return html`<p class="actions">
      ${capability_id && html`<a href=${listUrl(new URLSearchParams({ capability: capability_id }))}>All requests of this capability</a>`}
      ${trace && html`<a href=${trace} target="_blank" rel="noopener noreferrer">Open the trace</a>`}
    </p>
    <form class="actions" onSubmit=${compare}>
      <label>Compare with request <input name="other" size="28" autocomplete="off" /></label>
      <button type="submit" class="quiet">Compare</button>
    </form>`
}

/** @param {{ request: RequestDetail, show: (act: () => Promise<Result>) => () => void }} props */
function Buttons({ request, show }) {
  const { request_id } = request
  const call = { ...copyOf(request), origin: location.origin, hasKey: access.state.key !== '' }
  return html`<p class="actions">
    <${CopyButton} text=${asCurl(call)} label="Copy as curl" />
    <${CopyButton} text=${asClientCode(call)} label="Copy as client code" />
    <${CopyButton} text=${asCurl(call, 'explain')} label="Copy explain call as curl" />
    <button type="button" class="quiet copy" onClick=${show(() => explainNow(request))}>Explain now</button>
    <button type="button" class="quiet copy" onClick=${show(() => runAgain(request))}>Run again</button>
    ${
      hasDecisions(request) &&
      html`<button type="button" class="quiet copy" onClick=${show(() => replayNow(request_id))}>Replay with today's cards</button>
        <${DownloadButton}
          path="/v1/requests/${request_id}/export"
          file="${request_id}.json"
          label="Export for replay"
        />`
    }
  </p>`
}

/** @param {{ result: Result }} props */
function ResultView({ result: { title, text, more = [], link, plan, differences } }) {
  return html`<div class="outcome" role="status">
    <p><strong>${title}</strong> ${text} ${link && html`<a href=${link}>Open the request</a>`}</p>
    ${more.map(sentence => html`<p>${sentence}</p>`)}
    ${differences && differences.length > 0 && html`<${Differences} differences=${differences} />`}
    ${plan && html`<${PlanTable} plan=${plan} id="plan-now" title="Plan now" isNow />`}
  </div>`
}

/** @param {{ differences: readonly Difference[] }} props */
function Differences({ differences }) {
  return html`<table class="differences">
    <thead><tr><th scope="col">Decision</th><th scope="col">Recorded</th><th scope="col">Now</th></tr></thead>
    <tbody>
      ${differences.map(
        ({ what, recorded, now }) =>
          html`<tr class="differs"><th scope="row">${what}</th><td>${recorded}</td><td>${now}</td></tr>`,
      )}
    </tbody>
  </table>`
}

/**
 * @param {RequestDetail} request
 * @returns {Promise<Result>}
 */
async function explainNow(request) {
  const { data } = await post(request, 'explain', {})
  const [text, ...more] = explanationOf(data, request.options, access.state.key !== '')
  return { title: 'Nothing was sent.', text, more, plan: data }
}

/**
 * Reads run at once, unless they had a credential that the page lacks. A change runs after a question, with an Idempotency-Key of
 * its own.
 * @param {RequestDetail} request
 * @returns {Promise<Result>}
 */
async function runAgain(request) {
  const question = questionBefore(request)
  if (question !== null && !confirm(question)) return { title: 'Nothing was sent.' }
  const isChange = request.effect !== 'read'
  const { ok, meta } = await post(request, 'call', isChange ? { 'idempotency-key': newKey() } : {})
  const made = await getData(`/v1/requests/${encodeURIComponent(meta.request_id)}`).catch(
    () => null,
  )
  return {
    title: ok ? 'It ran.' : 'It failed.',
    text: differencesBetween(request, made?.caller ?? request.caller),
    link: requestUrl(meta.request_id),
  }
}

/**
 * Sends the recorded input again, with the options of the call but for the form of the answer, which the page reads.
 * @param {RequestDetail} request
 * @param {'call' | 'explain'} what
 * @param {Record<string, string>} headers
 */
async function post(request, what, headers) {
  const refusal = reasonNotToSend(request.input)
  if (refusal) throw new ApiError(0, refusal)
  const { capability, input, options } = copyOf(request)
  const cacheControl = cacheControlOf(options)
  const response = await send(
    pathOf({ capability, options: { ...options, profile: 'default' } }, what),
    {
      method: 'POST',
      headers: authorized({
        'content-type': 'application/json',
        ...(cacheControl === null ? {} : { 'cache-control': cacheControl }),
        ...headers,
      }),
      body: JSON.stringify(input),
    },
  )
  return parseExact(await response.text())
}

/**
 * @param {string} id
 * @returns {Promise<Result>}
 */
async function replayNow(id) {
  /** @type {{ same: boolean, differences: readonly Difference[] }} */
  const { same, differences } = await getData(`/v1/requests/${encodeURIComponent(id)}/replay`)
  const title = same
    ? "The same decisions with today's cards."
    : "Other decisions with today's cards."
  return { title, text: 'Nothing was sent.', differences }
}

/** Pages without TLS have no `randomUUID`. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `inspector-${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}
