/** The view library in one place: Preact, its hooks, and templates that need no build step. */

import { useEffect, useReducer } from '../vendor/hooks.js'
import htm from '../vendor/htm.js'
import { h } from '../vendor/preact.js'

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js'
export { render } from '../vendor/preact.js'

/** @typedef {import('preact').ComponentChildren} Children */

/** Use a template with several roots only as the whole content of a component. */
export const html = htm.bind(h)

/**
 * The state of a store. Redraws the component when the state changes.
 * @template T
 * @param {import('./store.js').Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0)
  useEffect(() => store.subscribe(() => redraw(undefined)), [store])
  return store.state
}

/**
 * Joins class names and drops falsy ones.
 * @param {...(string | false | null | undefined)} names
 */
export function classes(...names) {
  return names.filter(Boolean).join(' ')
}
