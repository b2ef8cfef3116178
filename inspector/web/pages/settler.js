import { getData } from '../lib/api.js'
import { listUrl, requestUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow
 * @typedef {{ rows: readonly RequestRow[], id: string | null }} Found
 */

/** Requests that were refused while the first one ran come before the one that settled it, but only a few. */
const MOST_READ = 10

/**
 * Links from an interrupted request to the later one with the same Idempotency-Key that found out what became of it.
 * @param {{ request: RequestDetail }} props
 */
export function Settler({ request }) {
  const { request_id, capability_id, caller, idempotency_key_hash: keyHash, time } = request
  const ofKey = new URLSearchParams({ q: keyHash ?? '' })
  const later = { capability: capability_id ?? '', caller, since: time, limit: '200' }
  const query = new URLSearchParams([...ofKey, ...Object.entries(later)])
  const { data, failure } = useData(
    `/v1/requests?${query}`,
    /** @type {Found | null} */ (null),
    (path, signal) => findSettler(path, request_id, signal),
  )
  if (!data && !failure) return null
  if (data?.id) {
    const id = data.id
    return html`The request that settled it: <a href=${requestUrl(id)}><code>${id}</code></a>`
  }
  if (data?.rows.length === 0)
    return 'No later request with this Idempotency-Key is recorded, so nothing has settled it.'
  return html`The request that settled it is not known here. <a href=${listUrl(ofKey)}>All requests with this key</a>`
}

/**
 * @param {string} path of the requests with the key
 * @param {string} interrupted
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
async function findSettler(path, interrupted, signal) {
  const page = /** @type {{ items: RequestRow[] }} */ (await getData(path, signal))
  const rows = page.items.filter(({ request_id }) => request_id !== interrupted)
  const own = rows.filter(({ borrowed }) => !borrowed).toReversed()
  for (const { request_id } of own.slice(0, MOST_READ)) {
    const path = `/v1/requests/${encodeURIComponent(request_id)}`
    const { answer_from } = /** @type {RequestDetail} */ (await getData(path, signal))
    if (answer_from?.request_id === interrupted) return { rows, id: request_id }
  }
  return { rows, id: null }
}
