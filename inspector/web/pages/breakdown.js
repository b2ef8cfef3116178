import { html } from '../lib/view.js'
import { CODES, inWords, REASONS } from '../lib/words.js'
import { sumsOf } from '../model/overview.js'
import { Count } from '../parts/count.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../model/time-window.js').Range} Range
 * @typedef {{ range: Range, filters: Record<string, string> }} Behind how to find the requests behind the numbers
 */

/**
 * Failures by error code, and requests by reason, the most frequent first.
 * @param {Behind & { stats: Stats }} props
 */
export function Breakdown({ stats, ...behind }) {
  const { codes, reasons } = sumsOf(stats)
  return html`<div class="breakdown">
    <${Counts} title="Error codes" name="code" counts=${codes} words=${CODES} ...${behind} />
    <${Counts} title="Reasons" name="reason" counts=${reasons} words=${REASONS} ...${behind} />
  </div>`
}

/** Rows that are always in sight: the tables below shall be, too. */
const SHOWN = 6

/**
 * @typedef {Behind & { title: string, name: 'code' | 'reason', counts: [string, number][], words: Record<string, string> }} CountsProps
 */

/** @param {CountsProps} props */
function Counts({ title, counts, ...rest }) {
  const most = Math.max(1, ...counts.map(([, count]) => count))
  const more = counts.slice(SHOWN)
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    ${counts.length === 0 && html`<p class="none">None.</p>`}
    <${Rows} counts=${counts.slice(0, SHOWN)} most=${most} ...${rest} />
    ${
      more.length > 0 &&
      html`<details>
        <summary>${more.length} more</summary>
        <${Rows} counts=${more} most=${most} ...${rest} />
      </details>`
    }
  </section>`
}

/** @param {Omit<CountsProps, 'title'> & { most: number }} props */
function Rows({ counts, most, name, words, range, filters }) {
  return html`<ul>
    ${counts.map(
      ([value, count]) => html`<li key=${value}>
        <span class="bar ${name}" style=${{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
        <code>${value}</code> <small>${inWords(words, value)}</small>
        <${Count} value=${count} range=${range} behind=${{ list: 'requests', filters: { ...filters, [name]: value } }} label=${value} />
      </li>`,
    )}
  </ul>`
}
