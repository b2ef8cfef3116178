/** The page with the calls that wait for a person, and those that somebody has decided on. */
import { formatShortTime } from '../lib/format.js'
import { approvalsUrl, approvalUrl, navigate } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html } from '../lib/view.js'
import { APPROVAL_STATES } from '../model/page-query.js'
import { Notice } from '../parts/notice.js'

/** @typedef {import('../../../src/model/approval.ts').Approval} Approval */

const REFRESH_MS = 5_000
/** @param {{ query: URLSearchParams }} props */
export function ApprovalsPage({ query }) {
  const chosen = query.get('status') ?? ''
  const status = Object.hasOwn(APPROVAL_STATES, chosen) ? chosen : 'waiting'
  const list = useData(
    `/v1/approvals?status=${status}`,
    /** @type {{ items: Approval[] } | null} */ (null),
  )
  useRefresh(list.reload, REFRESH_MS)
  return html`
    <header class="page-head">
      <h1>Approvals</h1>
      <${StateChoice} status=${status} />
    </header>
    ${list.failure && html`<${Notice} message=${list.failure} onRetry=${list.reload} />`}
    ${list.data && list.data.items.length > 0 && html`<${ApprovalTable} approvals=${list.data.items} isDecided=${status !== 'waiting'} />`}
    ${list.data?.items.length === 0 && html`<p class="empty">${status === 'waiting' ? 'No call waits for a person.' : 'None.'}</p>`}
  `
}

/** @param {{ status: string }} props */
function StateChoice({ status }) {
  return html`<p class="choice" role="group" aria-label="State">
    ${Object.entries(APPROVAL_STATES).map(([name, label]) => {
      const choose = () => navigate(approvalsUrl(new URLSearchParams({ status: name })))
      return html`<button type="button" aria-pressed=${name === status} onClick=${choose}>${label}</button>`
    })}
  </p>`
}

/** @param {{ approvals: readonly Approval[], isDecided: boolean }} props */
function ApprovalTable({ approvals, isDecided }) {
  const columns = ['Asked', 'Capability', 'Caller', 'Reason', ...(isDecided ? ['Decided'] : [])]
  return html`<table class="approvals" role="table" aria-label="Approvals">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(name => html`<th role="columnheader" scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${approvals.map(
        approval =>
          html`<${ApprovalRow} key=${approval.approval_id} approval=${approval} isDecided=${isDecided} />`,
      )}
    </tbody>
  </table>`
}

/** @param {{ approval: Approval, isDecided: boolean }} props */
function ApprovalRow({ approval, isDecided }) {
  const { approval_id, created_at, capability_id, caller, reason } = approval
  return html`<tr role="row">
    <td role="cell" data-label="Asked"><time datetime=${created_at}>${formatShortTime(created_at)}</time></td>
    <th role="rowheader" scope="row"><a href=${approvalUrl(approval_id)}>${capability_id}</a></th>
    <td role="cell" data-label="Caller">${caller}</td>
    <td role="cell" data-label="Reason">${reason ?? '–'}</td>
    ${isDecided && html`<td role="cell" data-label="Decided">${decisionOf(approval)}</td>`}
  </tr>`
}

/** @param {Approval} approval */
function decisionOf({ decided_by, decided_at, note }) {
  if (decided_by === null || decided_at === null) return '–'
  const words = note === null ? '' : `: “${note}”`
  return `by ${decided_by}, ${formatShortTime(decided_at)}${words}`
}
