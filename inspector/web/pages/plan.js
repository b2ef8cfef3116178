import { formatDuration } from '../lib/format.js'
import { html } from '../lib/view.js'
import { inWords, REASONS } from '../lib/words.js'
import { Lamp } from '../parts/lamp.js'

/** @typedef {import('../../../src/model/plan.ts').Plan} Plan */

/**
 * The routing decision of the gateway, made before it sent anything.
 * @param {{ plan: Plan }} props
 */
export function PlanTable({ plan: { candidates, skipped } }) {
  return html`<section aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    <p class="lead">The gateway made this plan before it sent anything.</p>
    <table class="plan" aria-labelledby="plan">
      <thead>
        <tr><th scope="col">Route</th><th scope="col">Decision</th><th scope="col">Why</th></tr>
      </thead>
      <tbody>
        ${candidates.map(
          ({ route, reason }, index) => html`<tr>
            <th scope="row"><span class="order">${index + 1}</span>${route}</th>
            <td>${index === 0 ? 'try first' : 'fall back'}</td>
            <td><code>${reason}</code><p>${inWords(REASONS, reason)}</p></td>
          </tr>`,
        )}
        ${skipped.map(
          ({ route, code, reason, message, fix, retry_after_ms }) => html`<tr class="skipped">
            <th scope="row"><${Lamp} status="skipped" />${route}</th>
            <td>skip</td>
            <td>
              <code>${reason}</code> <code class="dim">${code}</code>
              <p>${message}</p>
              ${fix && html`<p class="fix"><span class="label">Fix</span> ${fix}</p>`}
              ${retry_after_ms !== null && html`<p>Usable again after ${formatDuration(retry_after_ms)}.</p>`}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
