import { html } from '../lib/view.js'
import { Lamp } from './lamp.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').TrailStep} TrailStep */

/**
 * The routes that a request tried, in order: ✗ rest ×3 → ✓ graphql.
 * @param {{ trail: readonly TrailStep[] }} props
 */
export function Trail({ trail }) {
  const stops = stopsOf(trail)
  return html`<ol class="trail">
    ${stops.map(
      ({ step, times }) => html`<li class=${step.status} title=${titleOf(step, times)}>
        <${Lamp} status=${step.status} />${step.route}
        ${times > 1 && html`<span class="times">×${times}</span>`}
        <span class="visually-hidden">${` ${wordOf(step)}`}</span>
      </li>`,
    )}
  </ol>`
}

/**
 * Merges repeated attempts, and drops routes that were skipped after the answer: they played no part in it.
 * @param {readonly TrailStep[]} trail
 */
function stopsOf(trail) {
  /** @type {{ step: TrailStep, times: number }[]} */
  const stops = []
  // Leave out the reads that verify a write: they are not routes of the request itself.
  const own = trail.filter(({ purpose }) => purpose === null)
  const answered = own.findLastIndex(({ status }) => status === 'success')
  for (const step of answered === -1 ? own : own.slice(0, answered + 1)) {
    const last = stops.at(-1)
    const again = last?.step.route === step.route && last.step.status === step.status
    if (again) last.times++
    else stops.push({ step, times: 1 })
  }
  return stops
}

/** @param {TrailStep} step */
function wordOf({ status, code, reason }) {
  if (status === 'success') return 'answered'
  return status === 'skipped' ? `skipped, ${reason}` : `failed, ${code}`
}

/**
 * @param {TrailStep} step
 * @param {number} times
 */
function titleOf(step, times) {
  return `${step.route} ${wordOf(step)}${times > 1 ? `, ${times} times` : ''}`
}
