/** The page of one approval: what a caller wants to do, and the decision of a person. */
import { authorized, messageOf, send } from '../lib/api.js'
import { formatFullTime } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { approvalsUrl, navigate, requestUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html, useState } from '../lib/view.js'
import { Fact } from '../parts/fact.js'
import { Notice } from '../parts/notice.js'
import { PlanTable } from './plan.js'

/**
 * @typedef {import('../../../src/model/approval.ts').Approval} Approval
 * @typedef {import('../../../src/model/plan.ts').Plan} Plan
 */

const HOUR = 3_600_000
const MAX_NOTE = 500

/** @param {{ id: string }} props */
export function ApprovalPage({ id }) {
  const path = `/v1/approvals/${encodeURIComponent(id)}`
  const { data, failure, reload } = useData(path, /** @type {Approval | null} */ (null))
  useKeys({ Escape: () => navigate(approvalsUrl()) })
  return html`
    <p class="back"><a href=${approvalsUrl()}>← Approvals</a></p>
    ${failure && html`<${Notice} message=${failure} onRetry=${reload} />`}
    ${!data && !failure && html`<p class="empty">Loading…</p>`}
    ${data && html`<${ApprovalView} approval=${data} onDecided=${reload} />`}
  `
}

/** @param {{ approval: Approval, onDecided: () => void }} props */
function ApprovalView({ approval, onDecided }) {
  const { capability_id, caller, status, reason, input } = approval
  return html`<article class="request">
    <header>
      <h1>${capability_id} <span class="state">${status}</span></h1>
      <p class="story">${storyOf(approval)}</p>
      <${Facts} approval=${approval} />
    </header>
    ${
      reason !== null &&
      html`<section aria-labelledby="reason">
        <h2 id="reason">The reason that ${caller} gives</h2>
        <blockquote>${reason}</blockquote>
      </section>`
    }
    <section aria-labelledby="input">
      <h2 id="input">Input</h2>
      <pre tabindex="0">${JSON.stringify(input, null, 2)}</pre>
    </section>
    ${status === 'waiting' && html`<${Decision} approval=${approval} onDecided=${onDecided} />`}
    <${PlanTable} plan=${/** @type {Plan} */ (approval.plan)} />
  </article>`
}

/** @param {Approval} approval */
function storyOf({ status, caller, decided_by, decided_at, expires_at, note, repeatable }) {
  const words = note === null ? '' : ` “${note}”`
  const by = decided_by ?? ''
  switch (status) {
    case 'waiting':
      return `${caller} wants to make this call, and waits for a person.`
    case 'approved':
      return `${by} approved it${repeatable ? ' for a while' : ''}. It has not run yet.${words}`
    case 'used':
      return `${by} approved it, and it ran.${words}`
    case 'refused':
      return `${by} refused it at ${formatFullTime(decided_at ?? '')}.${words} The same call is refused until ${formatFullTime(expires_at)}, and asks anew after that; with another input it asks at once.`
    case 'expired':
      return 'It expired before it ran.'
  }
}

/** @param {{ approval: Approval }} props */
function Facts({ approval }) {
  const { approval_id, request_id, created_at, expires_at, decided_at, used_by } = approval
  return html`<dl class="facts">
    <${Fact} name="Approval"><code>${approval_id}</code><//>
    <${Fact} name="Asked"><time datetime=${created_at}>${formatFullTime(created_at)}</time><//>
    <${Fact} name="Expires"><time datetime=${expires_at}>${formatFullTime(expires_at)}</time><//>
    ${decided_at && html`<${Fact} name="Decided"><time datetime=${decided_at}>${formatFullTime(decided_at)}</time><//>`}
    <${Fact} name="First request"><a href=${requestUrl(request_id)}><code>${request_id}</code></a><//>
    ${used_by && html`<${Fact} name="Ran as"><a href=${requestUrl(used_by)}><code>${used_by}</code></a><//>`}
  </dl>`
}

/** @param {{ approval: Approval, onDecided: () => void }} props */
function Decision({ approval, onDecided }) {
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState(/** @type {string | null} */ (null))
  const decide = (/** @type {object} */ decision) => async () => {
    const words = note === '' ? {} : { note }
    try {
      await send(`/v1/approvals/${encodeURIComponent(approval.approval_id)}`, {
        method: 'POST',
        headers: authorized({ 'content-type': 'application/json' }),
        body: JSON.stringify({ ...decision, ...words }),
      })
      onDecided()
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  const onInput = (/** @type {Event} */ event) =>
    setNote(/** @type {HTMLTextAreaElement} */ (event.target).value)
  return html`<section class="decision" aria-labelledby="decision">
    <h2 id="decision">Your decision</h2>
    <label for="note">Note, which ${approval.caller} sees if you refuse</label>
    <textarea id="note" rows="2" maxlength=${MAX_NOTE} value=${note} onInput=${onInput}></textarea>
    ${failure && html`<p class="notice" role="alert">${failure}</p>`}
    <p class="actions">
      <button type="button" class="primary" onClick=${decide({ decision: 'approve' })}>Approve once</button>
      <button type="button" onClick=${decide({ decision: 'approve', for_ms: HOUR })}>Approve for an hour</button>
      <button type="button" onClick=${decide({ decision: 'refuse' })}>Refuse</button>
    </p>
  </section>`
}
