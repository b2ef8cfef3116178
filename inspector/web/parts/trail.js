import { html } from '../lib/view.js'
import { Lamp } from './lamp.js'

/** @typedef {import('../../../src/journal/journal.ts').TrailStep} Step */

/**
 * The routes a request went over, in order: ✗ rest ×3 → ✓ graphql.
 * @param {{ steps: readonly Step[] }} props
 */
export function Trail({ steps }) {
  const stops = stopsOf(steps)
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
 * What was passed over after the route that answered led nowhere.
 * @param {readonly Step[]} steps
 */
function stopsOf(steps) {
  /** @type {{ step: Step, times: number }[]} */
  const stops = []
  // The reads that look after a write are no route that it went over.
  const own = steps.filter(({ purpose }) => purpose === null)
  const answered = own.findLastIndex(({ status }) => status === 'success')
  for (const step of answered === -1 ? own : own.slice(0, answered + 1)) {
    const last = stops.at(-1)
    const again = last?.step.route === step.route && last.step.status === step.status
    if (again) last.times++
    else stops.push({ step, times: 1 })
  }
  return stops
}

/** @param {Step} step */
function wordOf({ status, code, reason }) {
  if (status === 'success') return 'answered'
  return status === 'skipped' ? `passed over, ${reason}` : `failed, ${code}`
}

/**
 * @param {Step} step
 * @param {number} times
 */
function titleOf(step, times) {
  return `${step.route} ${wordOf(step)}${times > 1 ? `, ${times} times` : ''}`
}
