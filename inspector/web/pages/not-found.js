import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'

/** @param {{ path: string }} props */
export function NotFoundPage({ path }) {
  return html`<div class="empty">
    <h1>No such page</h1>
    <p>The inspector has no page <code>${path.slice(0, 200)}</code>.</p>
    <p><a href=${listUrl()}>Show the requests</a>. To find one of them, paste its id anywhere on the page.</p>
  </div>`
}
