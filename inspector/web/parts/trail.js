import { html } from '../lib/view.js'
import { stopsOf } from '../model/trail.js'
import { Lamp } from './lamp.js'
import { Sign } from './sign.js'

/**
 * The routes that a request tried, in order: ✗ rest ×3 → ✓ graphql. An answer that it got otherwise has the sign of its form.
 * @param {{ row: import('../../../src/journal/row-schemas.ts').RequestRow }} props
 */
export function Trail({ row }) {
  const stops = stopsOf(row)
  if (stops.length === 0) return null
  return html`<ol class="trail">
    ${stops.map(
      ({ step, times, form, text, word }) => html`<li
        class=${step?.status ?? 'other'}
        title=${`${text} ${word}${times > 1 ? `, ${times} times` : ''}`}
        data-form=${form}
      >
        ${form ? html`<${Sign} form=${form} />` : step && html`<${Lamp} status=${step.status} />`}${text}
        ${times > 1 && html`<span class="times">×${times}</span>`}
        <span class="visually-hidden">${` ${word}`}</span>
      </li>`,
    )}
  </ol>`
}
