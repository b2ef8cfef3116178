/** The page with the calls that wait for a person, and those that somebody has decided on. */
import { formatShortTime, showUnseen } from '../lib/format.js'
import { approvalsUrl, approvalUrl, navigate } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html } from '../lib/view.js'
import { Notice } from '../parts/notice.js'

/** @typedef {import('../../../src/model/approval.ts').Approval} Approval */

const REFRESH_MS = 5_000
/** @type {Record<string, string>} */
const STATES = {
  waiting: 'Waiting',
  approved: 'Approved',
  used: 'Used',
  refused: 'Refused',
  expired: 'Expired',
}

/** @param {{ query: URLSearchParams }} props */
export function ApprovalsPage({ query }) {
  const chosen = query.get('status') ?? ''
  const status = Object.hasOwn(STATES, chosen) ? chosen : 'waiting'
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
    ${list.data && list.data.items.length > 0 && html`<${ApprovalTable} approvals=${list.data.items} />`}
    ${list.data?.items.length === 0 && html`<p class="empty">${status === 'waiting' ? 'No call waits for a person.' : 'None.'}</p>`}
  `
}

/** @param {{ status: string }} props */
function StateChoice({ status }) {
  return html`<p class="choice" role="group" aria-label="State">
    ${Object.entries(STATES).map(([name, label]) => {
      const choose = () =>
        navigate(approvalsUrl(new URLSearchParams({ status: name })), { replace: true })
      return html`<button type="button" aria-pressed=${name === status} onClick=${choose}>${label}</button>`
    })}
  </p>`
}

/** @param {{ approvals: readonly Approval[] }} props */
function ApprovalTable({ approvals }) {
  return html`<table class="approvals">
    <thead>
      <tr><th scope="col">Asked</th><th scope="col">Capability</th><th scope="col">Caller</th><th scope="col">Reason</th></tr>
    </thead>
    <tbody>
      ${approvals.map(
        ({ approval_id, created_at, capability_id, caller, reason }) => html`<tr key=${approval_id}>
          <td><time datetime=${created_at}>${formatShortTime(created_at)}</time></td>
          <th scope="row"><a href=${approvalUrl(approval_id)}>${capability_id}</a></th>
          <td>${caller}</td>
          <td>${reason === null ? '–' : showUnseen(reason)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`
}
