import { formatFullTime, formatPercent, nounFor } from '../lib/format.js'
import { navigate } from '../lib/router.js'
import { html } from '../lib/view.js'
import { OUTCOMES } from '../lib/words.js'
import { OUTCOME_STACK, sumsOf } from '../model/overview.js'
import { SPANS, withSpan } from '../model/time-window.js'
import { Count } from '../parts/count.js'
import { Histogram } from '../parts/histogram.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../model/time-window.js').TimeWindow} TimeWindow
 * @typedef {import('../model/time-window.js').Range} Range
 */

/** @param {{ chosen: string, query: URLSearchParams, urlOf: (query: URLSearchParams) => string }} props */
export function SpanChoice({ chosen, query, urlOf }) {
  return html`<p class="choice" role="group" aria-label="Time span">
    ${Object.entries(SPANS).map(([name, { label }]) => {
      const choose = () => navigate(urlOf(withSpan(query, name)))
      return html`<button type="button" aria-pressed=${name === chosen} onClick=${choose}>${label}</button>`
    })}
  </p>`
}

/**
 * Numbers of another time than the address asks for would pass for those of that time.
 * @param {{ label: string, onRemove: () => void }} props
 */
function WrongTimes({ label, onRemove }) {
  return html`<p class="notice" role="alert">
    The page ignores <code>since</code> and <code>until</code> of the address: they must be times, the first before the second, no further
    apart than ${label.toLowerCase()}. <button type="button" onClick=${onRemove}>Remove them</button>
  </p>`
}

/**
 * Requests over time by how they ended, with the numbers of the selected time.
 * @param {{ stats: Stats, shown: Stats | null, time: TimeWindow, filters: Record<string, string>,
 *   onSelect: (range: Range | null) => void }} props
 */
export function Timeline({
  stats,
  shown,
  time: { window, selected, span, isWrong },
  filters,
  onSelect,
}) {
  const range = selected ?? window
  const { count, outcomes } = sumsOf(shown ?? stats)
  return html`<section class="timeline" aria-label="Requests over time">
    ${isWrong && html`<${WrongTimes} label=${span.label} onRemove=${() => onSelect(null)} />`}
    <${Histogram} timeline=${stats.timeline} window=${window} bucketMs=${span.bucketMs} selected=${selected} onSelect=${onSelect} />
    <ul class="outcomes" aria-label="Requests of the selected time">
      <li class="all"><${Count} value=${count} range=${range} behind=${{ list: 'requests', filters }} label=${nounFor(count, 'request')} /> ${nounFor(count, 'request')}</li>
      ${OUTCOME_STACK.map(
        name => html`<li class=${name}>
          <${Count} value=${outcomes[name] ?? 0} range=${range} behind=${{ list: 'requests', filters: { ...filters, outcome: name } }} label=${OUTCOMES[name]} />
          ${OUTCOMES[name]} <small>${formatPercent(count === 0 ? null : (outcomes[name] ?? 0) / count)}</small>
        </li>`,
      )}
    </ul>
    ${
      selected &&
      html`<p class="selected" role="status">
        ${formatFullTime(new Date(selected.since).toISOString())} – ${formatFullTime(new Date(selected.until).toISOString())}
        <button type="button" onClick=${() => onSelect(null)}>Show the whole time</button>
      </p>`
    }
  </section>`
}
