/** Opens what an id names, from wherever the user pastes it. */
import { findId } from '../model/ids.js'
import { getData } from './api.js'
import { approvalUrl, listUrl, navigate, requestUrl } from './router.js'
import { useLayoutEffect } from './view.js'

/**
 * Opens the request or the approval, or lists what the id finds: several requests share a trace, and the id of a batch names its
 * calls.
 * @param {import('../model/ids.js').Found} found
 */
export async function openId({ kind, id }) {
  navigate((kind === 'own' ? await ownPage(id) : await pageOf({ q: id })) ?? listOf({ q: id }))
}

/**
 * The page of a request, of the calls of a batch, or of an approval.
 * @param {string} id
 */
async function ownPage(id) {
  const found = (await pageOf({ request_id: id })) ?? (await pageOf({ batch_id: id }))
  if (found) return found
  const approval = await getData(`/v1/approvals/${id}`).catch(() => null)
  return approval === null ? null : approvalUrl(id)
}

/**
 * The page of the only request that a filter finds, or the list of them; null if it finds none.
 * @param {Record<string, string>} filter
 */
async function pageOf(filter) {
  const query = new URLSearchParams({ ...filter, limit: '2' })
  /** @type {{ items: { request_id: string }[] } | null} */
  const page = await getData(`/v1/requests?${query}`).catch(() => null)
  const [first, ...more] = page?.items ?? []
  if (first === undefined) return null
  return more.length === 0 ? requestUrl(first.request_id) : listOf(filter)
}

/** @param {Record<string, string>} filter */
function listOf(filter) {
  return listUrl(new URLSearchParams(filter))
}

/**
 * Opens the id that stands anywhere in a text, such as a line of a log.
 * @param {string} text
 * @returns {boolean} whether it has one
 */
export function openFound(text) {
  const found = findId(text)
  if (found) void openId(found)
  return found !== null
}

/** Opens the id in a text that the user pastes outside of a field. A search box opens an id by itself. */
export function usePastedId() {
  useLayoutEffect(() => {
    const paste = (/** @type {ClipboardEvent} */ event) => {
      const { target } = event
      if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return
      openFound(event.clipboardData?.getData('text') ?? '')
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
}
