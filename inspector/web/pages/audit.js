/** The page with the decisions about keys, credentials, approvals and settings, and the state of their chain. */
import { formatCounted, formatFullTime } from '../lib/format.js'
import { approvalUrl, auditUrl, navigate, upstreamUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { useRefresh } from '../lib/use-refresh.js'
import { html } from '../lib/view.js'
import { chainStateOf } from '../model/chain.js'
import { AUDIT_ACTIONS, usedParameters } from '../model/page-query.js'
import { timeAround } from '../model/time-window.js'
import { Notice } from '../parts/notice.js'

/** @typedef {import('../../../src/model/audit.ts').AuditRecord} AuditRecord */
/** @typedef {import('../model/chain.js').AuditPageData} AuditPageData */

const REFRESH_MS = 10_000

/** @param {{ query: URLSearchParams }} props */
export function AuditPage({ query }) {
  const filters = usedParameters('audit', query)
  const text = filters.toString()
  const list = useData(`/v1/audit${text && `?${text}`}`, /** @type {AuditPageData | null} */ (null))
  useRefresh(list.reload, REFRESH_MS)
  const { data } = list
  return html`
    <header class="page-head"><h1>Audit</h1></header>
    <${AuditFilters} query=${filters} />
    ${list.failure && html`<${Notice} message=${list.failure} onRetry=${list.reload} />`}
    ${data && html`<${AuditView} data=${data} filters=${filters} />`}
  `
}

/** @param {{ data: AuditPageData, filters: URLSearchParams }} props */
function AuditView({ data, filters }) {
  const { items, pageInfo } = data
  const isWhole = ['action', 'actor', 'subject'].every(name => !filters.has(name))
  return html`
    <${Chain} data=${data} isWhole=${isWhole} />
    ${items.length > 0 ? html`<${AuditTable} records=${items} />` : html`<p class="empty">No such decisions.</p>`}
    ${pageInfo.hasNextPage && html`<p><a href=${olderUrl(filters, data)}>Older decisions</a></p>`}
  `
}

/**
 * @param {URLSearchParams} filters
 * @param {AuditPageData} data
 */
function olderUrl(filters, { pageInfo }) {
  const next = new URLSearchParams(filters)
  next.set('after', pageInfo.endCursor ?? '')
  return auditUrl(next)
}

/** @param {{ query: URLSearchParams }} props */
function AuditFilters({ query }) {
  const change = (/** @type {Event} */ event) => {
    const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target)
    const next = new URLSearchParams(query)
    next.delete('after')
    if (value.trim() === '') next.delete(name)
    else next.set(name, value.trim())
    navigate(auditUrl(next))
  }
  const value = (/** @type {string} */ name) => query.get(name) ?? ''
  return html`<search class="filters" onChange=${change}>
    <label>
      <span>Decision</span>
      <input name="action" list="actions" value=${value('action')} placeholder="any" autocomplete="off" spellcheck=${false} />
      <datalist id="actions">${AUDIT_ACTIONS.map(action => html`<option value=${action} />`)}</datalist>
    </label>
    <label>
      <span>By</span>
      <input name="actor" value=${value('actor')} placeholder="anybody" maxlength="200" autocomplete="off" spellcheck=${false} />
    </label>
    <label>
      <span>About</span>
      <input name="subject" value=${value('subject')} placeholder="any" maxlength="200" autocomplete="off" spellcheck=${false} />
    </label>
  </search>`
}

/** @param {{ data: AuditPageData, isWhole: boolean }} props */
function Chain({ data, isWhole }) {
  const { head, items } = data
  const broken = isWhole ? chainStateOf(items) : null
  const words = isWhole
    ? items.length < 2
      ? `This page has ${formatCounted(items.length, 'record')}.`
      : `The ${items.length} records of this page follow each other.`
    : 'A filter leaves out records, so this page cannot show whether any is missing.'
  return html`<p class="chain" role=${broken ? 'alert' : 'status'}>
    ${broken ?? words} Newest of all: ${head.seq} <code>${head.hash.slice(0, 16)}</code>.${' '}
    <code>signalbox audit verify</code> checks the whole chain.
  </p>`
}

/** @param {{ records: readonly AuditRecord[] }} props */
function AuditTable({ records }) {
  return html`<table class="approvals audit" role="table" aria-label="Records">
    <thead role="rowgroup">
      <tr role="row">
        ${['No.', 'Time', 'Decision', 'By', 'About', 'Why'].map(name => html`<th role="columnheader" scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${records.map(
        ({ seq, time, action, actor, subject, reason }) => html`<tr role="row" key=${seq}>
          <td role="cell" data-label="No.">${seq}</td>
          <td role="cell" data-label="Time"><time datetime=${time}>${formatFullTime(time)}</time></td>
          <th role="rowheader" scope="row">${action}</th>
          <td role="cell" data-label="By">${actor}</td>
          <td role="cell" data-label="About"><${Subject} action=${action} subject=${subject} time=${time} /></td>
          <td role="cell" data-label="Why">${reason ?? '–'}</td>
        </tr>`,
      )}
    </tbody>
  </table>`
}

/**
 * Subject of a decision, with a link if it has a page.
 * @param {{ action: string, subject: string, time: string }} props
 */
function Subject({ action, subject, time }) {
  if (action.startsWith('approval.')) return html`<a href=${approvalUrl(subject)}>${subject}</a>`
  if (action === 'upstream.reset') {
    return html`<a href=${upstreamUrl(subject, timeAround(time, Date.now()))}>${subject}</a>`
  }
  return subject
}
