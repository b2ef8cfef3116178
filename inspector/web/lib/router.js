/** Every view has its own address, so users can link to it. */
import { useEffect, useState } from './view.js'

const BASE = '/inspector'
const NAVIGATED = 'signalbox:navigated'

/**
 * @typedef {{ readonly page: 'list', readonly query: URLSearchParams }
 *   | { readonly page: 'request', readonly id: string }
 *   | { readonly page: 'approval', readonly id: string }
 *   | { readonly page: 'approvals', readonly query: URLSearchParams }
 *   | { readonly page: 'audit', readonly query: URLSearchParams }
 *   | { readonly page: 'routes', readonly query: URLSearchParams }} Place
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
export function routesUrl(query) {
  return withQuery(`${BASE}/routes`, query)
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
 * @param {string} url
 * @param {{ replace?: boolean }} [options]
 */
export function navigate(url, { replace = false } = {}) {
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  dispatchEvent(new Event(NAVIGATED))
}

/** The place that the address names. Redraws the component when the address changes. */
export function usePlace() {
  const [place, setPlace] = useState(readPlace)
  useEffect(() => {
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

/** @returns {Place} */
function readPlace() {
  const { pathname, search } = location
  const [, kind, id] = /^\/inspector\/(request|approval)s\/([^/]+)$/.exec(pathname) ?? []
  if (id !== undefined) {
    return { page: kind === 'approval' ? 'approval' : 'request', id: decodeURIComponent(id) }
  }
  const query = new URLSearchParams(search)
  if (pathname === `${BASE}/approvals`) return { page: 'approvals', query }
  if (pathname === `${BASE}/audit`) return { page: 'audit', query }
  return { page: pathname === `${BASE}/routes` ? 'routes' : 'list', query }
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
