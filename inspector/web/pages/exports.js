import { html } from '../lib/view.js'
import { DownloadButton } from '../parts/download-button.js'

/**
 * Buttons that save the whole filtered list.
 * @param {{ list: import('../lib/lists.js').List, filters: URLSearchParams }} props
 */
export function Exports({ list: { name }, filters }) {
  const path = (/** @type {string} */ format) =>
    `/v1/${name}/export?${new URLSearchParams([...filters, ['format', format]])}`
  return html`<p class="actions exports">
    <${DownloadButton} path=${path('jsonl')} file="${name}.jsonl" label="Export as JSON lines" />
    <${DownloadButton} path=${path('csv')} file="${name}.csv" label="Export as CSV" />
  </p>`
}
