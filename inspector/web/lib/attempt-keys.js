import { useKeys } from './keys.js'

/** `[` and `]` move the focus among the attempts of a request. */
export function useAttemptKeys() {
  useKeys({ ']': () => moveFocus(1), '[': () => moveFocus(-1) })
}

/** @param {1 | -1} direction */
function moveFocus(direction) {
  const rows = [...document.querySelectorAll('.waterfall tbody tr')].filter(
    row => row instanceof HTMLElement,
  )
  const at = rows.findIndex(row => row.contains(document.activeElement))
  const next = rows[at === -1 ? 0 : at + direction]
  if (!next) return
  next.tabIndex = -1
  next.focus()
}
