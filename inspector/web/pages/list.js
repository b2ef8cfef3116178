/** The page with the live list of requests, newest first. */
import { formatCount } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { html, useEffect, useLayoutEffect, useStore } from '../lib/view.js'
import { Notice } from '../parts/notice.js'
import { Empty } from './empty.js'
import { Filters, filtersOf } from './filters.js'
import { RequestTable } from './request-table.js'

/** @typedef {import('../model/request-list.js').RequestList} RequestList */

/** @param {{ list: RequestList, query: URLSearchParams }} props */
export function ListPage({ list, query }) {
  const { rows, held, loading, stream, hasOlder, failure } = useStore(list)
  const filters = filtersOf(query)
  useEffect(() => void list.show(filters), [filters.toString()])
  useReadingPosition(list)
  useKeys({ j: () => moveFocus(1), k: () => moveFocus(-1), n: () => list.release() })
  return html`
    <h1 class="visually-hidden">Requests</h1>
    <${Filters} query=${filters} />
    <div class="list-state">
      <${StreamState} stream=${stream} held=${held.length > 0} />
      <span aria-live="polite">
        ${
          held.length > 0 &&
          html`<button type="button" class="pill" onClick=${() => list.release()}>
            ${formatCount(held.length)} new
          </button>`
        }
      </span>
    </div>
    ${failure && html`<${Notice} message=${failure} onRetry=${() => list.reload()} />`}
    ${rows.length > 0 && html`<${RequestTable} rows=${rows} onHold=${holdOf(list)} />`}
    ${rows.length === 0 && !loading && !failure && html`<${Empty} filtered=${filters.size > 0} />`}
    ${rows.length === 0 && loading && html`<p class="empty">Loading…</p>`}
    ${hasOlder && html`<button type="button" class="older" onClick=${() => list.loadOlder()}>Older requests</button>`}
  `
}

const STREAM = { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost, reconnecting…' }

/** @param {{ stream: keyof typeof STREAM, held: boolean }} props */
function StreamState({ stream, held }) {
  return html`<span class="stream ${stream}" role="status">
    ${stream === 'live' && held ? 'Paused while you read' : STREAM[stream]}
  </span>`
}

/**
 * Holds new rows back while the user has scrolled down, points at a row, or has focused one.
 * @param {RequestList} list
 */
function holdOf(list) {
  return (/** @type {boolean} */ reading) => list.hold(reading || scrollY > 0)
}

/**
 * Restores the scroll position of the last visit, and records it.
 * @param {RequestList} list
 */
function useReadingPosition(list) {
  useLayoutEffect(() => {
    scrollTo(0, list.scrollTop)
    const remember = () => {
      list.scrollTop = scrollY
      const pointing = document.querySelector('.requests tbody:is(:hover, :focus-within)') !== null
      list.hold(scrollY > 0 || pointing)
    }
    addEventListener('scroll', remember, { passive: true })
    return () => {
      removeEventListener('scroll', remember)
      list.hold(false)
    }
  }, [list])
}

/** @param {1 | -1} direction */
function moveFocus(direction) {
  const links = [...document.querySelectorAll('.requests tbody a')].filter(
    link => link instanceof HTMLElement,
  )
  const at = links.findIndex(link => link === document.activeElement)
  const next = links[at === -1 ? 0 : at + direction]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
