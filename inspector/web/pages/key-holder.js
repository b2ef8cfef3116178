import { listUrl, requestUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'

/**
 * Links to the request that holds an Idempotency-Key. The answer tells when it began; the journal has it once it has ended.
 * @param {{ request: import('../../../src/journal/row-schemas.ts').RequestDetail, since: string }} props
 */
export function KeyHolder({ request, since }) {
  const { capability_id, caller, idempotency_key_hash: keyHash } = request
  const until = new Date(Date.parse(since) + 1).toISOString()
  const query = new URLSearchParams({
    capability: capability_id ?? '',
    caller,
    q: keyHash ?? '',
    since,
    until,
  })
  const { data, failure } = useData(
    `/v1/requests?${query}`,
    /** @type {{ items: { request_id: string }[] } | null} */ (null),
  )
  if (!data && !failure) return null
  const id = data?.items[0]?.request_id
  if (id)
    return html`The request that holds the key: <a href=${requestUrl(id)}><code>${id}</code></a>`
  return html`The request that holds the key is still running, or no longer recorded. <a href=${listUrl(new URLSearchParams({ q: keyHash ?? '' }))}>All requests with this key</a>`
}
