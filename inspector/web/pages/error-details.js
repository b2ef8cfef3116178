import { formatDuration } from '../lib/format.js'
import { html } from '../lib/view.js'
import { ACTIONS, inWords, SOURCES, WRITE_OUTCOMES } from '../lib/words.js'

/** @typedef {import('../../../src/model/envelope.ts').EnvelopeError} EnvelopeError */

/**
 * The error as the caller got it, with the next step first.
 * @param {{ error: EnvelopeError }} props
 */
export function ErrorDetails({ error }) {
  const { code, message, next, source, retryable, write_outcome, hint_id, details } = error
  return html`<section class="error-details" aria-labelledby="error">
    <h2 id="error">Error</h2>
    <p class="what"><code>${code}</code> ${message}</p>
    <p class="advice"><span class="label">Next step</span> ${advise(next)}</p>
    <dl class="facts">
      <div><dt>Caused by</dt><dd>${inWords(SOURCES, source)}</dd></div>
      <div><dt>Retryable</dt><dd>${retryable ? 'yes' : 'no'}</dd></div>
      ${
        write_outcome &&
        html`<div><dt>Write outcome</dt><dd>${inWords(WRITE_OUTCOMES, write_outcome)}</dd></div>`
      }
      <div><dt>Hint</dt><dd><code>${hint_id}</code></dd></div>
    </dl>
    ${Object.keys(details).length > 0 && html`<pre tabindex="0">${JSON.stringify(details, null, 2)}</pre>`}
  </section>`
}

/** @param {EnvelopeError['next']} next */
function advise({ action, after_ms, fields, capability }) {
  const extras = [
    after_ms !== undefined && `After ${formatDuration(after_ms)}.`,
    fields && fields.length > 0 && `Fields: ${fields.join(', ')}.`,
    capability && `Call ${capability}.`,
  ]
  return [inWords(ACTIONS, action), ...extras.filter(Boolean)].join(' ')
}
