import { useKeys } from './keys.js'
import { useLayoutEffect } from './view.js'

/** `[` and `]` move the focus among the attempts of a request. */
export function useAttemptKeys() {
  useKeys({ ']': () => moveFocus(1), '[': () => moveFocus(-1) })
}

/**
 * Begins at the attempt that the address names.
 * @param {string | null} index
 * @param {boolean} isDrawn
 */
export function useAttemptFocus(index, isDrawn) {
  useLayoutEffect(() => {
    if (isDrawn && index !== null) focusOn(rowsOf()[Number(index)])
  }, [index, isDrawn])
}

function rowsOf() {
  return [...document.querySelectorAll('.waterfall tbody tr')].filter(
    row => row instanceof HTMLElement,
  )
}

/** @param {1 | -1} direction */
function moveFocus(direction) {
  const rows = rowsOf()
  const at = rows.findIndex(row => row.contains(document.activeElement))
  focusOn(rows[at === -1 ? 0 : at + direction])
}

/** @param {HTMLElement | undefined} row */
function focusOn(row) {
  if (!row) return
  row.tabIndex = -1
  row.focus()
}
