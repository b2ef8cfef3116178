/** Keyboard commands. A page binds keys while it is shown; the one bound last wins. */
import { useEffect, useRef } from './view.js'

/** @typedef {Record<string, (event: KeyboardEvent) => void>} Bindings keys, or a sequence like `g l` */

/** @type {Set<{ current: Bindings }>} */
const bound = new Set()
let prefix = ''

/** @param {Bindings} bindings */
export function useKeys(bindings) {
  const current = useRef(bindings)
  current.current = bindings
  useEffect(() => {
    bound.add(current)
    return () => {
      bound.delete(current)
    }
  }, [])
}

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  // An open dialog knows its own keys.
  if (document.querySelector('dialog[open]')) return
  const typing = event.target instanceof Element && event.target.matches('input, select, textarea')
  if (typing && event.key !== 'Escape') return
  const name = `${prefix}${event.key}`
  prefix = event.key === 'g' && prefix === '' ? 'g ' : ''
  const handler = [...bound].findLast(({ current }) => current[name])?.current[name]
  if (!handler) return
  event.preventDefault()
  handler(event)
})
