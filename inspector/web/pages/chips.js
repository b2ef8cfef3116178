/** The filters that are active, each with a way to remove it, and those of the address that the list cannot use. */
import { html } from '../lib/view.js'
import { describeFilter, TIMES, withFilters } from '../model/filters.js'
import { WrongParameters } from '../parts/wrong-parameters.js'
import { describeSpan } from './time-filter.js'

/**
 * @typedef {import('../lib/lists.js').List} List
 * @param {{ list: List, filters: URLSearchParams, wrong: readonly import('../model/filters.js').WrongFilter[] }} props
 */
export function Chips({ list, filters, wrong }) {
  if (filters.size === 0 && wrong.length === 0) return null
  const own = [...filters].filter(([name]) => !TIMES.includes(name))
  return html`
    ${wrong.length > 0 && html`<${WrongParameters} subject="list" wrong=${wrong} without=${list.urlOf(filters)} />`}
    ${
      filters.size > 0 &&
      html`<ul class="chips" aria-label="Active filters">
        ${own.map(([name, value]) => html`<${Chip} key=${name} ...${describeFilter(name, value, list.known)} list=${list} filters=${filters} names=${[name]} />`)}
        ${own.length < filters.size && html`<${TimeChip} list=${list} filters=${filters} />`}
        <li><a class="clear" href=${list.urlOf()}>Clear</a></li>
      </ul>`
    }
  `
}

/** @param {{ list: List, filters: URLSearchParams }} props */
function TimeChip({ list, filters }) {
  const span = describeSpan(filters.get('since') ?? '', filters.get('until') ?? '')
  return html`<${Chip} label="Time" text=${span} list=${list} filters=${filters} names=${TIMES} />`
}

/** @param {{ label: string, text: string, list: List, filters: URLSearchParams, names: readonly string[] }} props */
function Chip({ label, text, list, filters, names }) {
  const without = withFilters(
    filters,
    Object.fromEntries(names.map(name => [name, ''])),
    list.known,
  )
  return html`<li class="chip">
    <span>${label}</span> <strong>${text}</strong>
    <a href=${list.urlOf(without)} aria-label="Remove the filter ${label}: ${text}" title="Remove">×</a>
  </li>`
}
