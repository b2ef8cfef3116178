/** Everything that draws comes through here: Preact, its hooks, and templates that need no build. */

import { useEffect, useReducer } from '../vendor/hooks.js'
import htm from '../vendor/htm.js'
import { h } from '../vendor/preact.js'

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js'
export { render } from '../vendor/preact.js'

/** @typedef {import('preact').ComponentChildren} Children */

/** A template gives one node: everything here has one root, or is a component's whole content. */
export const html = htm.bind(h)

/**
 * What the store holds, drawn anew whenever that changes.
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
 * Classes, without the ones that do not apply.
 * @param {...(string | false | null | undefined)} names
 */
export function classes(...names) {
  return names.filter(Boolean).join(' ')
}
