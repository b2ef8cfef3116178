/** Keyboard shortcuts. A component binds keys while it is mounted; the last binding of a key wins. */
import { useLayoutEffect, useRef } from './view.js'

/** @typedef {Record<string, (event: KeyboardEvent) => void>} Bindings by key, or by a sequence such as `g l` */

/** @type {Set<{ current: Bindings }>} */
const bound = new Set()
let prefix = ''

/** @param {Bindings} bindings */
export function useKeys(bindings) {
  const current = useRef(bindings)
  current.current = bindings
  // A key works as soon as the page can be seen.
  useLayoutEffect(() => {
    bound.add(current)
    return () => {
      bound.delete(current)
    }
  }, [])
}

addEventListener('keydown', event => {
  if (isForeign(event)) return
  if (isField(event.target)) {
    event.preventDefault()
    return event.target.blur()
  }
  const name = `${prefix}${event.key}`
  prefix = event.key === 'g' && prefix === '' ? 'g ' : ''
  const handler = [...bound].findLast(({ current }) => current[name])?.current[name]
  if (!handler) return
  event.preventDefault()
  handler(event)
})

/**
 * Whether a key press belongs to the browser, to an open dialog, or to a form field. Escape leaves a field, whatever else it does.
 * @param {KeyboardEvent} event
 */
function isForeign({ ctrlKey, metaKey, altKey, key, target }) {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return true
  return isField(target) && key !== 'Escape'
}

/**
 * @param {EventTarget | null} target
 * @returns {target is HTMLElement}
 */
function isField(target) {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}
