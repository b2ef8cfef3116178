/** The page with the live list of requests, newest first. */
import { formatCount, formatLoaded } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { REQUESTS } from '../lib/lists.js'
import { html, useLayoutEffect, useMemo, useStore } from '../lib/view.js'
import { zone } from '../lib/zone.js'
import { readFilters } from '../model/filters.js'
import { MAX_ROWS } from '../model/request-list.js'
import { Notice } from '../parts/notice.js'
import { Chips } from './chips.js'
import { Empty } from './empty.js'
import { Exports } from './exports.js'
import { Filters } from './filters.js'
import { REQUEST_ROWS } from './request-row.js'
import { RowTable } from './row-table.js'
import { Views } from './views.js'

/** @typedef {import('../model/request-list.js').RequestList} RequestList */

/** @param {{ list: RequestList, query: URLSearchParams }} props */
export function ListPage({ list, query }) {
  const { rows, loading, hasOlder, failure } = useStore(list)
  const { filters, wrong } = useMemo(() => readFilters(query), [query.toString()])
  // Before the browser draws the new filters, so that the request for their rows does not wait for that.
  useLayoutEffect(() => {
    if (list.show(filters)) scrollTo(0, 0)
  }, [filters])
  useReading(list)
  useKeys({ n: () => list.release(), p: () => list.togglePause() })
  // The same element is not drawn again. To draw the fields at each arrival would drop what the user is typing.
  const controls = useMemo(
    () => html`<${Controls} filters=${filters} wrong=${wrong} />`,
    [filters, zone.state.utc],
  )
  return html`
    <h1 class="visually-hidden">Requests</h1>
    ${controls}
    <${ListState} list=${list} />
    ${failure && html`<${Notice} message=${failure} onRetry=${() => list.reload()} />`}
    ${
      rows.length > 0 &&
      html`<${RowTable}
        kind=${REQUEST_ROWS}
        rows=${rows}
        position=${list.position}
        onHold=${(/** @type {boolean} */ reading) => list.read(reading || scrollY > 0)}
        onNearEnd=${() => failure === null && list.loadOlder()}
      />`
    }
    ${rows.length === 0 && !loading && !failure && html`<${Empty} filtered=${filters.size > 0} />`}
    ${rows.length === 0 && loading && html`<p class="empty">Loading…</p>`}
    ${hasOlder && html`<${Older} list=${list} />`}
  `
}

/** @param {ReturnType<typeof readFilters>} props */
function Controls({ filters, wrong }) {
  return html`
    <${Filters} list=${REQUESTS} filters=${filters} />
    <${Views} filters=${filters} />
    <${Chips} list=${REQUESTS} filters=${filters} wrong=${wrong} />
    <${Exports} list=${REQUESTS} filters=${filters} />
  `
}

/**
 * Scrolling loads older rows by itself; the button is for those who do not scroll, and after a failure.
 * @param {{ list: RequestList }} props
 */
function Older({ list }) {
  const { rows, loadingOlder } = list.state
  if (rows.length >= MAX_ROWS) {
    return html`<p class="empty">${formatCount(rows.length)} requests are loaded. Choose a time to see older ones.</p>`
  }
  return html`<button type="button" class="older" onClick=${() => list.loadOlder()}>
    ${loadingOlder ? 'Loading…' : 'Older requests'}
  </button>`
}

/** @param {{ list: RequestList }} props */
function ListState({ list }) {
  const { rows, held, paused, stream, hasOlder } = list.state
  return html`<div class="list-state">
    <${StreamState} state=${list.state} />
    <button type="button" class="pause" aria-pressed=${paused} title="Pause or resume the list (p)" onClick=${() => list.togglePause()}>
      ${paused ? 'Resume' : 'Pause'}
    </button>
    <span aria-live="polite">
      ${
        held > 0 &&
        html`<button type="button" class="pill" title="Show the new requests (n)" onClick=${() => list.release()}>
          ${formatCount(held)} new
        </button>`
      }
    </span>
    <span class="loaded">${stream !== 'connecting' && rows.length > 0 && formatLoaded(rows.length, 'request', hasOlder)}</span>
  </div>`
}

const STREAM = { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost, reconnecting…' }

/** @param {{ state: import('../model/request-list.js').ListState }} props */
function StreamState({ state: { stream, paused, held } }) {
  const text = paused ? 'Paused' : held > 0 ? 'Paused while you read' : STREAM[stream]
  return html`<span class=${`stream ${stream}${paused ? ' paused' : ''}`} role="status">
    ${stream === 'live' ? text : STREAM[stream]}
  </span>`
}

/**
 * Holds new rows back while the user has scrolled down or points at a row, and records where the user is.
 * @param {RequestList} list
 */
function useReading(list) {
  useLayoutEffect(() => {
    const remember = () => {
      list.position.scrollTop = scrollY
      const pointing = document.querySelector('.requests tbody:is(:hover, :focus-within)') !== null
      list.read(scrollY > 0 || pointing)
    }
    addEventListener('scroll', remember, { passive: true })
    return () => {
      removeEventListener('scroll', remember)
      // The rows must not move while the user is away, or the user would return to others.
      list.read(list.position.scrollTop > 0)
    }
  }, [list])
}
