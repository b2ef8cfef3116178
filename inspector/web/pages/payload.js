/** The answer that the journal has kept, and which of its texts others wrote. */
import { showUnseen } from '../lib/format.js'
import { html } from '../lib/view.js'

/** @param {{ data: unknown, meta: import('../../../src/model/envelope.ts').Meta }} props */
export function Payload({ data, meta: { untrusted = [], warnings } }) {
  if (data === null) return null
  return html`<section aria-labelledby="payload">
    <h2 id="payload">Answer</h2>
    ${
      untrusted.length > 0 &&
      html`<p>
        Text by others: ${untrusted.map((path, at) => html`${at > 0 ? ', ' : ''}<code>${path.replace(/^data\.?/, '') || 'all'}</code>`)}
      </p>`
    }
    ${warnings.map(({ code, message }) => html`<p><code>${code}</code> ${message}</p>`)}
    <pre tabindex="0">${showUnseen(JSON.stringify(data, null, 2), '\n')}</pre>
  </section>`
}
