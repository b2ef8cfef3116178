import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { CopyButton } from '../parts/copy-button.js'

/** Shown instead of an empty list, with a way to fill it. */
export function Empty(/** @type {{ filtered: boolean }} */ { filtered }) {
  if (filtered) {
    return html`<div class="empty">
      <h2>No request matches these filters</h2>
      <p><a href=${listUrl()}>Show all requests</a>. New matching requests appear here when they end.</p>
    </div>`
  }
  const command = `curl -s ${location.origin}/v1/capabilities/repo.view \\
  -H 'content-type: application/json' \\
  -d '{"owner":"octo-org","name":"hello-world"}'`
  return html`<div class="empty">
    <h2>No requests yet</h2>
    <p>Send one, and it appears here:</p>
    <pre tabindex="0">${command}</pre>
    <${CopyButton} text=${command} label="Copy the command" />
  </div>`
}
