import { ApiError, getData } from '../lib/api.js'
import { capabilityUrl, overviewUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'

/** @typedef {{ exists: true } | { exists: false, meant: readonly string[] }} Known */

/**
 * The page of a capability without calls, if there is such a capability. A page of zeros would pass for a quiet one.
 * @param {{ id: string, children?: import('../lib/view.js').Children }} props
 */
export function IfKnown({ id, children }) {
  const { data } = useData(id, /** @type {Known | null} */ (null), lookUp)
  if (!data) return null
  if (data.exists) return children
  return html`<div class="empty" role="alert">
    <h2>No such capability</h2>
    <p>
      There is no capability <code>${id}</code> that this key may see, and no call of it in this time.
      ${data.meant.length > 0 && ' Did you mean one of these?'}
    </p>
    ${data.meant.length > 0 && html`<ul class="meant">${data.meant.map(name => html`<li><a href=${capabilityUrl(name)}>${name}</a></li>`)}</ul>`}
    <p><a href=${overviewUrl()}>All capabilities with calls</a></p>
  </div>`
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Known>}
 */
async function lookUp(id, signal) {
  try {
    await getData(`/v1/capabilities/${encodeURIComponent(id)}`, signal)
    return { exists: true }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const { did_you_mean: meant } = error.details
    return { exists: false, meant: Array.isArray(meant) ? meant.map(String) : [] }
  }
}
