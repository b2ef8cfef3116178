import { getData } from '../lib/api.js'
import { formatDuration } from '../lib/format.js'
import { capabilityUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'
import { ACTIONS, inWords, SOURCES, WRITE_OUTCOMES } from '../lib/words.js'

/** @typedef {import('../../../src/model/envelope.ts').EnvelopeError} EnvelopeError */

const MADE = 'Look at what the write has made, and do not send it again.'

/**
 * The error as the caller got it, with the next step first.
 * @param {{ error: EnvelopeError, capability: string | null }} props
 */
export function ErrorDetails({ error, capability }) {
  const { code, message, next, source, retryable, write_outcome, hint_id, details } = error
  return html`<section class="error-details" aria-labelledby="error">
    <h2 id="error">Error</h2>
    <p class="what"><code>${code}</code> ${message}</p>
    <p class="advice"><span class="label">Next step</span> ${adviceOn(error)}</p>
    ${
      write_outcome === 'unknown' &&
      next.capability === undefined &&
      capability !== null &&
      html`<${WhereToLook} capability=${capability} />`
    }
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

/**
 * The call that shows what a write has done, for a record that could not name one: the gateway that made it had lost the input.
 * @param {{ capability: string }} props
 */
function WhereToLook({ capability }) {
  const { data: card } = useData(
    `/v1/capabilities/${encodeURIComponent(capability)}`,
    /** @type {{ verify?: { capability: string } } | null} */ (null),
    getData,
  )
  const reader = card?.verify?.capability
  if (!reader) return null
  return html`<p class="advice">
    <span class="label">Where to look</span> <a href=${capabilityUrl(reader)}><code>${reader}</code></a> shows whether the write was applied.
  </p>`
}

/** @param {EnvelopeError} error */
export function adviceOn({ write_outcome, next: { action, after_ms, fields, capability } }) {
  const isMade = action === 'verify' && write_outcome === 'applied'
  const extras = [
    after_ms !== undefined && `After ${formatDuration(after_ms)}.`,
    fields && fields.length > 0 && `Fields: ${fields.join(', ')}.`,
    capability && `Call ${capability}.`,
  ]
  return [isMade ? MADE : inWords(ACTIONS, action), ...extras.filter(Boolean)].join(' ')
}
