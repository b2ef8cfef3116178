/** The table of a list. It draws only the rows near the screen, and remembers where the user was. */
import { useKeys } from '../lib/keys.js'
import { useVirtualRows } from '../lib/use-virtual-rows.js'
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../lib/view.js'
import { Gap, Head, Row } from './table-row.js'

/**
 * @typedef {import('../model/request-list.js').ReadingPosition} ReadingPosition
 */

/** How near the end of the loaded rows the next page is loaded. */
const AHEAD = 10

/**
 * On a phone the stylesheet turns rows into cards, and browsers then drop the table roles. Explicit roles
 * restore them.
 * @template R
 * @param {object} props
 * @param {import('./table-row.js').RowKind<R>} props.kind
 * @param {readonly R[]} props.rows
 * @param {ReadingPosition} props.position
 * @param {(reading: boolean) => void} props.onHold
 * @param {() => void} props.onNearEnd
 */
export function RowTable({ kind, rows, position, onHold, onNearEnd }) {
  const keyOf = useMemo(() => keyAt(rows, kind), [rows])
  const [current, setCurrent] = useState(position.current)
  const at = useMemo(
    () => (current === null ? -1 : rows.findIndex(row => kind.keyOf(row) === current)),
    [rows, current],
  )
  const count = rows.length
  const { body, virtual, items, gaps } = useVirtualRows({ count, keyOf, kept: at, start: position })
  const askForFocus = useRowFocus(position, current, body)
  useRowKeys(position, direction => {
    // Several keys may come before the page is drawn again, so the state may be behind.
    const from = rows.findIndex(row => kind.keyOf(row) === position.current)
    const next = from === -1 ? 0 : Math.min(count - 1, Math.max(0, from + direction))
    askForFocus()
    position.current = keyOf(next)
    setCurrent(position.current)
    virtual.scrollToIndex(next, { align: 'auto' })
  })
  useEffect(() => {
    if ((items.at(-1)?.index ?? 0) >= count - AHEAD) onNearEnd()
  }, [items, rows])
  useEffect(() => () => void (position.sizes = virtual.takeSnapshot()), [])
  position.current = current
  const listeners = listenersOf(onHold, index => setCurrent(keyOf(index)))
  return html`<table class="requests" role="table" aria-label=${kind.label} aria-rowcount=${count + 1}>
    <thead role="rowgroup"><${Head} columns=${kind.columns} /></thead>
    <tbody role="rowgroup" ref=${body} ...${listeners}>
      ${items.flatMap((item, drawn) => {
        const row = rows[item.index]
        if (!row) return []
        return [
          html`<${Gap} key="before ${item.key}" height=${gaps.before[drawn] ?? 0} columns=${kind.columns.length} />`,
          html`<${Row} key=${item.key} kind=${kind} row=${row} index=${item.index} measure=${virtual.measureElement} />`,
        ]
      })}
      <${Gap} key="after" height=${gaps.after} columns=${kind.columns.length} />
    </tbody>
  </table>`
}

/**
 * @template R
 * @param {readonly R[]} rows
 * @param {import('./table-row.js').RowKind<R>} kind
 */
function keyAt(rows, kind) {
  return (/** @type {number} */ at) => {
    const row = rows[at]
    return row === undefined ? '' : kind.keyOf(row)
  }
}

/**
 * @param {ReadingPosition} position
 * @param {(direction: 1 | -1) => void} move
 */
function useRowKeys(position, move) {
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () => {
      if (position.current !== null) linkOf(position.current, document)?.click()
    },
  })
}

/**
 * @param {string} key
 * @param {ParentNode} where
 * @returns {HTMLElement | null} null for a row that is not drawn
 */
function linkOf(key, where) {
  return where.querySelector(`.requests tr[data-key="${CSS.escape(key)}"] a`)
}

/**
 * @param {(reading: boolean) => void} onHold
 * @param {(index: number) => void} onFocus
 */
function listenersOf(onHold, onFocus) {
  const leave = (/** @type {PointerEvent | FocusEvent} */ event) => {
    const body = /** @type {HTMLElement} */ (event.currentTarget)
    queueMicrotask(() => onHold(body.matches(':focus-within, :hover')))
  }
  return {
    onPointerEnter: () => onHold(true),
    onPointerLeave: leave,
    onFocusOut: leave,
    onFocusIn: (/** @type {FocusEvent} */ event) => {
      const row = event.target instanceof Element ? event.target.closest('tr') : null
      if (row) onFocus(Number(row.dataset.index))
      onHold(true)
    },
  }
}

/**
 * Focuses the current row once it is drawn: after a key, and when the user returns to the list.
 * @param {ReadingPosition} position
 * @param {string | null} current
 * @param {{ current: HTMLElement | null }} body
 */
function useRowFocus(position, current, body) {
  const asked = useRef(position.current !== null)
  useLayoutEffect(() => {
    if (!asked.current || current === null) return
    const link = body.current && linkOf(current, body.current)
    if (!link) return
    asked.current = false
    link.focus({ preventScroll: true })
  })
  return () => void (asked.current = true)
}
