/** Every view has its own address, so users can link to it. */
import { idOfAddress } from '../model/ids.js'
import { useLayoutEffect, useState } from './view.js'

const BASE = '/inspector'
const NAVIGATED = 'signalbox:navigated'

/**
 * @typedef {{ readonly page: 'list', readonly query: URLSearchParams }
 *   | { readonly page: 'request', readonly id: string, readonly query: URLSearchParams }
 *   | { readonly page: 'attempts', readonly query: URLSearchParams }
 *   | { readonly page: 'compare', readonly query: URLSearchParams }
 *   | { readonly page: 'approval', readonly id: string, readonly query: URLSearchParams }
 *   | { readonly page: 'approvals', readonly query: URLSearchParams }
 *   | { readonly page: 'audit', readonly query: URLSearchParams }
 *   | { readonly page: 'overview', readonly query: URLSearchParams }
 *   | { readonly page: 'capability', readonly id: string, readonly query: URLSearchParams }
 *   | { readonly page: 'upstream', readonly id: string, readonly query: URLSearchParams }
 *   | { readonly page: 'unknown', readonly path: string }} Place
 */

/** @param {URLSearchParams} [query] */
export function listUrl(query) {
  return withQuery(BASE, query)
}

/** @param {string} id */
export function requestUrl(id) {
  return `${BASE}/requests/${encodeURIComponent(id)}`
}

/** @param {URLSearchParams} [query] */
export function attemptsUrl(query) {
  return withQuery(`${BASE}/attempts`, query)
}

/**
 * The page of a request, at one of its attempts.
 * @param {string} id
 * @param {number} index
 */
export function attemptUrl(id, index) {
  return withQuery(requestUrl(id), new URLSearchParams({ attempt: String(index) }))
}

/**
 * @param {string} a
 * @param {string} b
 */
export function compareUrl(a, b) {
  return withQuery(`${BASE}/compare`, new URLSearchParams({ a, b }))
}

/** @param {URLSearchParams} [query] */
export function overviewUrl(query) {
  return withQuery(`${BASE}/overview`, query)
}

/**
 * @param {string} id
 * @param {URLSearchParams} [query]
 */
export function capabilityUrl(id, query) {
  return withQuery(`${BASE}/capabilities/${encodeURIComponent(id)}`, query)
}

/**
 * @param {string} id
 * @param {URLSearchParams} [query]
 */
export function upstreamUrl(id, query) {
  return withQuery(`${BASE}/upstreams/${encodeURIComponent(id)}`, query)
}

/** @param {URLSearchParams} [query] */
export function approvalsUrl(query) {
  return withQuery(`${BASE}/approvals`, query)
}

/** @param {URLSearchParams} [query] */
export function auditUrl(query) {
  return withQuery(`${BASE}/audit`, query)
}

/** @param {string} id */
export function approvalUrl(id) {
  return `${BASE}/approvals/${encodeURIComponent(id)}`
}

/**
 * @param {string} path
 * @param {URLSearchParams | undefined} query
 */
function withQuery(path, query) {
  const text = query?.toString() ?? ''
  return text === '' ? path : `${path}?${text}`
}

/**
 * Goes to an address. Going where the user is adds no entry to the history, and a text that the user types adds one, not one a letter.
 * @param {string} url
 * @param {{ replace?: boolean, typedIn?: string | undefined }} [options] `typedIn`: the field of the text
 */
export function navigate(url, { replace = false, typedIn } = {}) {
  const isTypingOn = typedIn !== undefined && history.state?.typedIn === typedIn
  const isHere = new URL(url, location.href).href === location.href
  const state = isHere ? history.state : typedIn === undefined ? null : { typedIn }
  if (replace || isTypingOn || isHere) history.replaceState(state, '', url)
  else history.pushState(state, '', url)
  dispatchEvent(new Event(NAVIGATED))
}

/** Pages put themselves where they were: the browser would do so before their content is there. */
history.scrollRestoration = 'manual'

/** The place that the address names. Redraws the component when the address changes. */
export function usePlace() {
  const [place, setPlace] = useState(readPlace)
  useLayoutEffect(() => {
    const read = () => setPlace(readPlace())
    addEventListener('popstate', read)
    addEventListener(NAVIGATED, read)
    document.addEventListener('click', followLink)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener(NAVIGATED, read)
      document.removeEventListener('click', followLink)
    }
  }, [])
  return place
}

/** The pages of one thing, by the first part of their address. */
const PAGES_OF_ONE = /** @type {const} */ ({
  requests: 'request',
  approvals: 'approval',
  capabilities: 'capability',
  upstreams: 'upstream',
})

/** The pages that have one address each, and those on which to find an id that an address lacks. */
const PAGES = /** @type {const} */ ({
  [BASE]: 'list',
  [`${BASE}/attempts`]: 'attempts',
  [`${BASE}/overview`]: 'overview',
  [`${BASE}/approvals`]: 'approvals',
  [`${BASE}/audit`]: 'audit',
  [`${BASE}/compare`]: 'compare',
  [`${BASE}/requests`]: 'list',
  [`${BASE}/capabilities`]: 'overview',
  [`${BASE}/upstreams`]: 'overview',
})

/** @returns {Place} */
export function readPlace() {
  const { search } = location
  const pathname = location.pathname.replace(/\/+$/, '')
  const query = new URLSearchParams(search)
  const [, kind = '', id] = /^\/inspector\/([a-z]+)\/([^/]+)$/.exec(pathname) ?? []
  const one =
    Object.hasOwn(PAGES_OF_ONE, kind) &&
    PAGES_OF_ONE[/** @type {keyof typeof PAGES_OF_ONE} */ (kind)]
  const named = id === undefined ? null : decoded(id)
  if (one && named !== null) return { page: one, id: idOfAddress(named), query }
  if (!Object.hasOwn(PAGES, pathname)) return { page: 'unknown', path: pathname }
  return { page: PAGES[/** @type {keyof typeof PAGES} */ (pathname)], query }
}

/**
 * The text of a part of a path; null if its encoding is broken.
 * @param {string} part
 */
function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/**
 * Follows links within the inspector without reloading the page.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.defaultPrevented || !isPlainClick(event) || !isInternal(link)) return
  event.preventDefault()
  navigate(link.href)
}

/** @param {MouseEvent} event */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey }) {
  return button === 0 && !(metaKey || ctrlKey || shiftKey)
}

/** @param {HTMLAnchorElement} link */
function isInternal(link) {
  const { origin, pathname } = link
  if (link.hasAttribute('download') || origin !== location.origin) return false
  return `${pathname}/`.startsWith(`${BASE}/`)
}
