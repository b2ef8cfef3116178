/** The page with the list of attempts, newest first: every call on a route, and every skipped route. */
import { formatLoaded } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { ATTEMPTS } from '../lib/lists.js'
import { html, useLayoutEffect, useMemo, useStore } from '../lib/view.js'
import { zone } from '../lib/zone.js'
import { AttemptList } from '../model/attempt-list.js'
import { readFilters } from '../model/filters.js'
import { Notice } from '../parts/notice.js'
import { ATTEMPT_ROWS } from './attempt-row.js'
import { Chips } from './chips.js'
import { Exports } from './exports.js'
import { Filters } from './filters.js'
import { RowTable } from './row-table.js'

/** One list for the whole visit: a user who opens an attempt and returns finds the list unchanged. */
const list = new AttemptList()

/** @param {{ query: URLSearchParams }} props */
export function AttemptsPage({ query }) {
  const { rows, loading, hasOlder, failure } = useStore(list)
  const { filters, wrong } = useMemo(() => readFilters(query, ATTEMPTS.known), [query.toString()])
  useLayoutEffect(() => {
    if (list.show(filters)) scrollTo(0, 0)
  }, [filters])
  usePosition()
  const reload = () => list.reload()
  useKeys({ n: reload })
  // The same element is not drawn again, so the fields keep what the user is typing.
  const controls = useMemo(
    () => html`
      <${Filters} list=${ATTEMPTS} filters=${filters} />
      <${Chips} list=${ATTEMPTS} filters=${filters} wrong=${wrong} />
      <${Exports} list=${ATTEMPTS} filters=${filters} />
    `,
    [filters, zone.state.utc],
  )
  return html`
    <h1 class="visually-hidden">Attempts</h1>
    ${controls}
    <div class="list-state">
      <button type="button" class="pause" title="Show the newest attempts (n)" onClick=${reload}>Reload</button>
      <span class="loaded" role="status">${loading ? 'Loading…' : formatLoaded(rows.length, 'attempt', hasOlder)}</span>
    </div>
    ${failure && html`<${Notice} message=${failure} onRetry=${reload} />`}
    ${rows.length > 0 && html`<${Rows} />`}
    ${rows.length === 0 && !loading && !failure && html`<${NoAttempts} filtered=${filters.size > 0} />`}
  `
}

function Rows() {
  const { rows, loadingOlder, hasOlder, failure } = list.state
  return html`
    <${RowTable}
      kind=${ATTEMPT_ROWS}
      rows=${rows}
      position=${list.position}
      onHold=${() => undefined}
      onNearEnd=${() => failure === null && list.loadOlder()}
    />
    ${
      hasOlder &&
      html`<button type="button" class="older" onClick=${() => list.loadOlder()}>
        ${loadingOlder ? 'Loading…' : 'Older attempts'}
      </button>`
    }
  `
}

/** @param {{ filtered: boolean }} props */
function NoAttempts({ filtered }) {
  return html`<div class="empty">
    <h2>${filtered ? 'No attempt matches these filters' : 'No attempts yet'}</h2>
    <p>${filtered ? html`<a href=${ATTEMPTS.urlOf()}>Show all attempts</a>.` : 'Each call on a route is one.'}</p>
  </div>`
}

/** Records where the user is, so that the list looks the same after a visit to another page. */
function usePosition() {
  useLayoutEffect(() => {
    const remember = () => void (list.position.scrollTop = scrollY)
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [])
}
