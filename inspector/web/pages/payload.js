/** The input and the answer that the journal has kept, folded, and searchable. */
import { html, useState } from '../lib/view.js'
import { reasonNotKept } from '../model/copied-input.js'
import { findLeaves, leavesOf } from '../model/tree.js'

/** @typedef {import('../../../src/model/envelope.ts').Meta} Meta */

/** More rows of a search help nobody. */
const MOST_FOUND = 200

/** @param {{ request: import('../../../src/journal/row-schemas.ts').RequestDetail, meta: Meta }} props */
export function Payloads({ request, meta: { untrusted = [], warnings } }) {
  const { input, data } = request
  if (input === null && data === null) return html`<${NotKept} request=${request} />`
  return html`<section aria-labelledby="payloads">
    <h2 id="payloads">Input and answer</h2>
    ${
      untrusted.length > 0 &&
      html`<p>
        Text by others: ${untrusted.map((path, at) => html`${at > 0 ? ', ' : ''}<code>${path.replace(/^data\.?/, '') || 'all'}</code>`)}
      </p>`
    }
    ${warnings.map(({ code, message }) => html`<p><code>${code}</code> ${message}</p>`)}
    <${Payload} name="Input" value=${input} />
    <${Payload} name="Answer" value=${data} />
  </section>`
}

/** @param {{ request: import('../../../src/journal/row-schemas.ts').RequestDetail }} props */
function NotKept({ request }) {
  const reason = reasonNotKept(request)
  return html`<section aria-labelledby="payloads">
    <h2 id="payloads">Input and answer</h2>
    <p class="lead">
      The journal has kept neither. ${
        reason ??
        html`The setting <code>journal_payloads: redacted</code>
          (<code>SIGNALBOX_JOURNAL_PAYLOADS=redacted</code>) keeps those of later requests, with secrets removed.`
      }
    </p>
  </section>`
}

/** @param {{ name: string, value: unknown }} props */
function Payload({ name, value }) {
  const [open, setOpen] = useState(false)
  const [words, setWords] = useState('')
  if (value === null) return html`<p class="lead">${name}: none kept.</p>`
  const toggle = (/** @type {Event} */ event) =>
    setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)
  const type = (/** @type {Event} */ event) =>
    setWords(/** @type {HTMLInputElement} */ (event.target).value)
  return html`<details class="payload" onToggle=${toggle}>
    <summary>${name}</summary>
    ${
      open &&
      html`<label class="find-in">Find in the ${name.toLowerCase()} <input type="search" value=${words} onInput=${type} /></label>
        ${words === '' ? html`<pre tabindex="0">${textOf(value)}</pre>` : html`<${Found} value=${value} words=${words} />`}`
    }
  </details>`
}

/** @param {{ value: unknown, words: string }} props */
function Found({ value, words }) {
  const found = findLeaves(leavesOf(value), words)
  return html`<p role="status">${found.length === 0 ? 'Nothing has these words.' : `${found.length} found`}</p>
    <dl class="found">
      ${found
        .slice(0, MOST_FOUND)
        .map(({ path, text }) => html`<div><dt><code>${path}</code></dt><dd>${text}</dd></div>`)}
    </dl>`
}

/** @param {unknown} value */
function textOf(value) {
  return JSON.stringify(value, null, 2)
}
