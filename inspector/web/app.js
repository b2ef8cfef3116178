import { access } from './lib/api.js'
import { useKeys } from './lib/keys.js'
import {
  approvalsUrl,
  auditUrl,
  listUrl,
  navigate,
  requestUrl,
  routesUrl,
  usePlace,
} from './lib/router.js'
import { html, useEffect, useState, useStore } from './lib/view.js'
import { RequestList } from './model/request-list.js'
import { ApprovalPage } from './pages/approval.js'
import { ApprovalsPage } from './pages/approvals.js'
import { AuditPage } from './pages/audit.js'
import { ListPage } from './pages/list.js'
import { RequestPage } from './pages/request.js'
import { RoutesPage } from './pages/routes.js'
import { Help } from './parts/help.js'
import { KeyForm } from './parts/key-form.js'
import { Shell, toggleTheme } from './parts/shell.js'

/** @typedef {import('./lib/router.js').Place} Place */

/** One list for the whole visit: a user who opens a request and returns finds the list unchanged. */
const list = new RequestList()
/** The addresses that the keyboard shortcuts return to. */
const last = { list: listUrl(), request: '' }

export function App() {
  const place = usePlace()
  const { key, wanted, refusal } = useStore(access)
  const [helpOpen, setHelpOpen] = useState(false)
  remember(place)
  useEffect(() => {
    document.title = titleOf(place)
  }, [place])
  useKeys({
    '?': () => setHelpOpen(true),
    d: toggleTheme,
    'g l': () => navigate(last.list),
    'g r': () => last.request !== '' && navigate(last.request),
    'g u': () => navigate(routesUrl()),
    'g a': () => navigate(approvalsUrl()),
    'g d': () => navigate(auditUrl()),
  })
  if (wanted) return html`<${KeyForm} refusal=${refusal} />`
  return html`<${Shell} place=${place} onHelp=${() => setHelpOpen(true)}>
    <${Page} key=${key} place=${place} />
    ${helpOpen && html`<${Help} onClose=${() => setHelpOpen(false)} />`}
  <//>`
}

/** @param {{ place: Place }} props */
function Page({ place }) {
  switch (place.page) {
    case 'list':
      return html`<${ListPage} list=${list} query=${place.query} />`
    case 'request':
      return html`<${RequestPage} id=${place.id} back=${last.list} />`
    case 'approval':
      return html`<${ApprovalPage} id=${place.id} />`
    case 'approvals':
      return html`<${ApprovalsPage} query=${place.query} />`
    case 'audit':
      return html`<${AuditPage} query=${place.query} />`
    case 'routes':
      return html`<${RoutesPage} query=${place.query} />`
  }
}

/** @param {Place} place */
function remember(place) {
  if (place.page === 'list') last.list = listUrl(place.query)
  if (place.page === 'request') last.request = requestUrl(place.id)
}

/** @param {Place} place */
function titleOf(place) {
  const titles = {
    list: 'Requests',
    request: 'Request',
    approval: 'Approval',
    approvals: 'Approvals',
    audit: 'Audit',
    routes: 'Routes',
  }
  return `${titles[place.page]} · Signalbox`
}
