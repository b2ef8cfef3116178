/** The view library in one place: Preact, its hooks, and templates that need no build step. */

import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from '../vendor/hooks.js'
import htm from '../vendor/htm.js'
import { h, render } from '../vendor/preact.js'
import { showUnseen } from './format.js'

export { render, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState }

/** @typedef {import('preact').ComponentChildren} Children */

/** Texts that a page shows, or reads to people who do not see it. Values and addresses stay as they are. */
const READ = ['title', 'aria-label']

/**
 * White space that an element may have: a paragraph shows the end of a line as a space.
 * @type {Readonly<Record<string, string>>}
 */
const KEPT = { pre: '\n\t', p: '\n\t' }

/**
 * Marks the characters that nobody sees in all texts of all pages: a text of a caller or a service could otherwise pass for another.
 * @param {any} type
 * @param {any} props
 * @param {...unknown} children
 */
function draw(type, props, ...children) {
  if (typeof type !== 'string') return h(type, props, .../** @type {never[]} */ (children))
  // The properties are made for this call, and nobody else has them.
  for (const name of READ) {
    if (typeof props?.[name] === 'string') props[name] = showUnseen(props[name])
  }
  const kept = KEPT[type] ?? ''
  const shown = children.map(child => marked(child, kept))
  return h(type, props, .../** @type {never[]} */ (shown))
}

/**
 * @param {unknown} child
 * @param {string} kept
 * @returns {unknown}
 */
function marked(child, kept) {
  if (Array.isArray(child)) return child.map(one => marked(one, kept))
  return typeof child === 'string' ? showUnseen(child, kept) : child
}

/** Use a template with several roots only as the whole content of a component. */
export const html = htm.bind(/** @type {typeof h} */ (/** @type {unknown} */ (draw)))

/**
 * The state of a store. Redraws the component when the state changes.
 * @template T
 * @param {import('./store.js').Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0)
  // A change between the drawing and a later effect would be missed.
  useLayoutEffect(() => store.subscribe(() => redraw(undefined)), [store])
  return store.state
}

/**
 * Whether the browser has painted the component. Parts that nobody sees at first are drawn after that.
 * @returns {boolean}
 */
export function usePainted() {
  const [painted, setPainted] = useState(false)
  useLayoutEffect(() => {
    // An effect would run before the paint, if the component is drawn twice.
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return painted
}

/**
 * Joins class names and drops falsy ones.
 * @param {...(string | false | null | undefined)} names
 */
export function classes(...names) {
  return names.filter(Boolean).join(' ')
}
