import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { CopyButton } from '../parts/copy-button.js'

/** Nothing to show, and what to do about it. */
export function Empty(/** @type {{ filtered: boolean }} */ { filtered }) {
  if (filtered) {
    return html`<div class="empty">
      <h2>No request fits these filters</h2>
      <p><a href=${listUrl()}>Show all requests</a>. New ones that fit appear here as they end.</p>
    </div>`
  }
  const command = `curl -s ${location.origin}/v1/capabilities/repo.view \\
  -H 'content-type: application/json' \\
  -d '{"owner":"octo-org","name":"hello-world"}'`
  return html`<div class="empty">
    <h2>No request yet</h2>
    <p>Make one, and it appears here at once:</p>
    <pre tabindex="0">${command}</pre>
    <${CopyButton} text=${command} label="Copy the command" />
  </div>`
}
