import { showUnseen } from '../lib/format.js'
import { html, useState } from '../lib/view.js'
import { CopyButton } from '../parts/copy-button.js'

/**
 * The complete record as the API returns it. Renders the text only when the user opens it.
 * @param {{ request: object }} props
 */
export function Raw({ request }) {
  const [open, setOpen] = useState(false)
  const text = showUnseen(JSON.stringify(request, null, 2), '\n')
  const toggle = (/** @type {Event} */ event) =>
    setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)
  return html`<details class="raw" onToggle=${toggle}>
    <summary>Raw record</summary>
    ${open && html`<${CopyButton} text=${text} label="Copy JSON" /><pre tabindex="0">${text}</pre>`}
  </details>`
}
