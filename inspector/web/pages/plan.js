import { formatCount, formatDuration, formatShortTime } from '../lib/format.js'
import { html } from '../lib/view.js'
import { fateOf, whyOf } from '../model/form.js'
import { Lamp } from '../parts/lamp.js'

/**
 * @typedef {import('../../../src/model/plan.ts').Plan} Plan
 * @typedef {import('../../../src/model/plan.ts').RouteState} RouteState
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 */

/**
 * The routing decision of the gateway, made before it sent anything, and what became of it.
 * @param {{ plan: Plan, request?: RequestDetail | null, id?: string, title?: string, isNow?: boolean }} props without the request: the plan has not been carried out
 */
export function PlanTable({
  plan: { candidates, skipped },
  request = null,
  id = 'plan',
  title = 'Plan',
  isNow = false,
}) {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    <p class="lead">
      ${
        isNow
          ? 'Quotas and circuits are as the gateway knows them now.'
          : 'The gateway made this plan before it tried a route. Quotas and circuits are as it knew them then.'
      }
    </p>
    <table class="plan" role="table" aria-labelledby=${id}>
      <thead>
        <tr>
          <th scope="col">Route</th><th scope="col">Decision</th><th scope="col">Why</th>
          <th scope="col">${isNow ? 'Known now' : 'Known then'}</th>
        </tr>
      </thead>
      <tbody>
        ${candidates.map(
          ({ route, reason, state }, index) => html`<tr>
            <th scope="row"><span class="order">${index + 1}</span>${route}</th>
            <td>${fateOf(route, index, request)}</td>
            <td><code>${reason}</code><p>${whyOf({ route, reason }, index, request)}</p></td>
            <td><${Known} state=${state} /></td>
          </tr>`,
        )}
        ${skipped.map(skip => html`<${SkippedRow} skip=${skip} />`)}
      </tbody>
    </table>
  </section>`
}

/** @param {{ skip: Plan['skipped'][number] }} props */
function SkippedRow({ skip: { route, code, reason, message, fix, retry_after_ms, state } }) {
  return html`<tr class="skipped">
    <th scope="row"><${Lamp} status="skipped" />${route}</th>
    <td>skip</td>
    <td>
      <code>${reason}</code> <code class="dim">${code}</code>
      <p>${message}</p>
      ${fix && html`<p class="fix"><span class="label">Fix</span> ${fix}</p>`}
      ${retry_after_ms !== null && html`<p>Usable again after ${formatDuration(retry_after_ms)}.</p>`}
    </td>
    <td><${Known} state=${state} /></td>
  </tr>`
}

/** @param {{ state: RouteState | undefined }} props */
function Known({ state }) {
  if (!state) return html`<p class="dim">nothing</p>`
  const { pool, remaining, reset_at, breaker } = state
  return html`
    ${pool !== null && html`<p><code>${pool}</code> ${remaining === null ? 'not reported' : `${formatCount(remaining)} left`}</p>`}
    ${reset_at !== null && html`<p>resets <time datetime=${reset_at}>${formatShortTime(reset_at)}</time></p>`}
    <p>circuit ${breaker.replace('_', ' ')}</p>
  `
}
