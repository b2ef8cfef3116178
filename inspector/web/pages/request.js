/** The page of one request: what happened, attempt by attempt, and why. */
import { getAnswer } from '../lib/api.js'
import { useAttemptFocus, useAttemptKeys } from '../lib/attempt-keys.js'
import { useKeys } from '../lib/keys.js'
import { attemptsUrl, capabilityUrl, navigate } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'
import { describeRequest } from '../model/story.js'
import { timeAround } from '../model/time-window.js'
import { ResultLamp } from '../parts/lamp.js'
import { Notice } from '../parts/notice.js'
import { Actions } from './actions.js'
import { ErrorDetails } from './error-details.js'
import { Facts } from './facts.js'
import { Origin } from './origin.js'
import { Payloads } from './payload.js'
import { PlanTable } from './plan.js'
import { Raw } from './raw.js'
import { Waterfall } from './waterfall.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/envelope.ts').Meta} Meta
 */

/** @param {{ id: string, back: string, query: URLSearchParams }} props */
export function RequestPage({ id, back, query }) {
  const path = `/v1/requests/${encodeURIComponent(id)}`
  const { data, failure, reload } = useData(
    path,
    /** @type {{ data: RequestDetail, meta: Meta } | null} */ (null),
    getAnswer,
  )
  useKeys({ Escape: () => navigate(back) })
  useAttemptKeys()
  useAttemptFocus(query.get('attempt'), data !== null)
  return html`
    <p class="back"><a href=${back}>← ${back.startsWith(attemptsUrl()) ? 'Attempts' : 'Requests'}</a></p>
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
        <${Capability} request=${request} /> <${ResultLamp} ok=${request.ok} code=${request.code} />
      </h1>
      <p class="story">${describeRequest(request)}</p>
      <${Facts} request=${request} />
      <${Actions} request=${request} />
    </header>
    <${Origin} request=${request} />
    ${meta && meta.attempts.length > 0 && html`<${Waterfall} request=${request} attempts=${meta.attempts} />`}
    ${error && html`<${ErrorDetails} error=${error} capability=${request.capability_id} />`}
    ${meta && meta.warnings.length > 0 && html`<${Warnings} warnings=${meta.warnings} />`}
    ${plan && html`<${PlanTable} plan=${plan} request=${request} />`}
    <${Payloads} request=${request} meta=${told} />
    <${Raw} request=${request} />
  </article>`
}

/** @param {{ request: RequestDetail }} props */
function Capability({ request: { capability_id: id, time } }) {
  if (id === null) return 'No capability'
  return html`<a href=${capabilityUrl(id, timeAround(time, Date.now()))}>${id}</a>`
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
