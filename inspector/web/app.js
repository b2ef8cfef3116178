import { access } from './lib/api.js'
import { showUnseen } from './lib/format.js'
import { useKeys } from './lib/keys.js'
import { usePastedId } from './lib/open-id.js'
import {
  approvalsUrl,
  attemptsUrl,
  auditUrl,
  listUrl,
  navigate,
  overviewUrl,
  readPlace,
  requestUrl,
  usePlace,
} from './lib/router.js'
import { html, useEffect, useLayoutEffect, useReducer, useState, useStore } from './lib/view.js'
import { toggleZone, zone } from './lib/zone.js'
import { readFilters } from './model/filters.js'
import { RequestList } from './model/request-list.js'
import { Help } from './parts/help.js'
import { KeyForm } from './parts/key-form.js'
import { Shell, toggleTheme } from './parts/shell.js'
import { WrongQuery } from './parts/wrong-query.js'

/** @typedef {import('./lib/router.js').Place} Place */

/** One list for the whole visit: a user who opens a request and returns finds the list unchanged. */
const list = new RequestList()
/** The addresses that the keyboard shortcuts return to. */
const last = { list: listUrl(), attempts: attemptsUrl(), request: '', back: listUrl() }

/** Begins to load the rows, if this is the address of the list. */
export function loadList() {
  const place = readPlace()
  if (place.page === 'list') list.show(readFilters(place.query).filters)
}

export function App() {
  const place = usePlace()
  const { key, wanted, refusal } = useStore(access)
  const [helpOpen, setHelpOpen] = useState(false)
  useStore(zone)
  usePastedId()
  remember(place)
  useEffect(() => {
    document.title = titleOf(place)
  }, [place])
  useLayoutEffect(() => setHelpOpen(false), [location.pathname])
  useLayoutEffect(() => {
    // The lists know where the user was.
    if (place.page !== 'list' && place.page !== 'attempts') scrollTo(0, 0)
  }, [location.pathname])
  useKeys({
    '?': () => setHelpOpen(true),
    d: toggleTheme,
    z: toggleZone,
    'g l': () => navigate(last.list),
    'g t': () => navigate(last.attempts),
    'g r': () => last.request !== '' && navigate(last.request),
    'g o': () => navigate(overviewUrl()),
    'g a': () => navigate(approvalsUrl()),
    'g d': () => navigate(auditUrl()),
  })
  if (wanted) return html`<${KeyForm} refusal=${refusal} />`
  return html`<${Shell} place=${place} onHelp=${() => setHelpOpen(true)}>
    <${Page} key=${key} place=${place} />
    ${helpOpen && html`<${Help} onClose=${() => setHelpOpen(false)} />`}
  <//>`
}

/**
 * Runs the module of a page when the user first opens the page. All modules arrive in one file.
 * @satisfies {Record<Place['page'], () => Promise<unknown>>}
 */
const PAGES = {
  list: async () => (await import('./pages/list.js')).ListPage,
  request: async () => (await import('./pages/request.js')).RequestPage,
  compare: async () => (await import('./pages/compare.js')).ComparePage,
  attempts: async () => (await import('./pages/attempts.js')).AttemptsPage,
  approval: async () => (await import('./pages/approval.js')).ApprovalPage,
  approvals: async () => (await import('./pages/approvals.js')).ApprovalsPage,
  audit: async () => (await import('./pages/audit.js')).AuditPage,
  overview: async () => (await import('./pages/overview.js')).OverviewPage,
  capability: async () => (await import('./pages/capability.js')).CapabilityPage,
  upstream: async () => (await import('./pages/upstream.js')).UpstreamPage,
  unknown: async () => (await import('./pages/not-found.js')).NotFoundPage,
}

/** @type {Map<Place['page'], unknown>} */
const loaded = new Map()

/**
 * Each page takes what it needs of the place.
 * @param {{ place: Place }} props
 */
function Page({ place }) {
  const { page } = place
  const [, redraw] = useReducer((/** @type {number} */ times) => times + 1, 0)
  useLayoutEffect(() => {
    if (loaded.has(page)) return
    void PAGES[page]()
      .then(component => loaded.set(page, component))
      .then(() => redraw(undefined))
  }, [page])
  const Shown = loaded.get(page)
  // Nothing of one request, capability or upstream stays on the page of the next.
  const key = 'id' in place ? place.id : ''
  return (
    Shown &&
    html`<${WrongQuery} place=${place} />
      <${Shown} key=${key} ...${place} list=${list} back=${last.back} />`
  )
}

/** @param {Place} place */
function remember(place) {
  if (place.page === 'list') last.back = last.list = listUrl(place.query)
  if (place.page === 'attempts') last.back = last.attempts = attemptsUrl(place.query)
  if (place.page === 'request') last.request = requestUrl(place.id)
}

/** @param {Place} place */
function titleOf(place) {
  const titles = {
    list: 'Requests',
    request: 'Request',
    attempts: 'Attempts',
    compare: 'Two requests',
    approval: 'Approval',
    approvals: 'Approvals',
    audit: 'Audit',
    overview: 'Overview',
    capability: place.page === 'capability' ? place.id : '',
    upstream: place.page === 'upstream' ? place.id : '',
    unknown: 'No such page',
  }
  return `${showUnseen(titles[place.page])} · Signalbox`
}
