/** The filters that are active, each with a way to remove it, and those of the address that the list cannot use. */
import { listUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { describeFilter, TIMES, withFilters } from '../model/filters.js'
import { WrongParameters } from '../parts/wrong-parameters.js'
import { describeSpan } from './time-filter.js'

/** @param {{ filters: URLSearchParams, wrong: readonly import('../model/filters.js').WrongFilter[] }} props */
export function Chips({ filters, wrong }) {
  if (filters.size === 0 && wrong.length === 0) return null
  const own = [...filters].filter(([name]) => !TIMES.includes(name))
  return html`
    ${wrong.length > 0 && html`<${WrongParameters} subject="list" wrong=${wrong} without=${listUrl(filters)} />`}
    ${
      filters.size > 0 &&
      html`<ul class="chips" aria-label="Active filters">
        ${own.map(([name, value]) => html`<${Chip} key=${name} ...${describeFilter(name, value)} filters=${filters} names=${[name]} />`)}
        ${own.length < filters.size && html`<${TimeChip} filters=${filters} />`}
        <li><a class="clear" href=${listUrl()}>Clear</a></li>
      </ul>`
    }
  `
}

/** @param {{ filters: URLSearchParams }} props */
function TimeChip({ filters }) {
  const span = describeSpan(filters.get('since') ?? '', filters.get('until') ?? '')
  return html`<${Chip} label="Time" text=${span} filters=${filters} names=${TIMES} />`
}

/** @param {{ label: string, text: string, filters: URLSearchParams, names: readonly string[] }} props */
function Chip({ label, text, filters, names }) {
  const without = withFilters(filters, Object.fromEntries(names.map(name => [name, ''])))
  return html`<li class="chip">
    <span>${label}</span> <strong>${text}</strong>
    <a href=${listUrl(without)} aria-label="Remove the filter ${label}: ${text}" title="Remove">×</a>
  </li>`
}
