import { formatMinute } from '../lib/format.js'
import { html, useRef } from '../lib/view.js'
import { zone, zoneName } from '../lib/zone.js'

const MINUTE = 60_000

/** @type {readonly (readonly [label: string, ms: number])[]} */
const RECENT = [
  ['15 min', 15 * MINUTE],
  ['1 h', 60 * MINUTE],
  ['24 h', 24 * 60 * MINUTE],
  ['7 days', 7 * 24 * 60 * MINUTE],
]

/**
 * Chooses a time span: a recent one with one click, any other by its ends. The address holds absolute times,
 * so a link shows the same requests tomorrow.
 * @param {{ since: string, until: string, onSet: (times: Record<string, string>, typedIn?: string) => void }} props
 */
export function TimeFilter({ since, until, onSet }) {
  const details = useRef(/** @type {HTMLDetailsElement | null} */ (null))
  const choose = (/** @type {number} */ ms) => {
    onSet({ since: new Date(Date.now() - ms).toISOString(), until: '' })
    if (details.current) details.current.open = false
  }
  const change = (/** @type {Event} */ event) => {
    event.stopPropagation()
    const { name, value } = /** @type {HTMLInputElement} */ (event.target)
    // The browser reports a change for each digit.
    onSet({ [name]: fromInput(value) }, name)
  }
  const closeOn = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape' && details.current) details.current.open = false
  }
  return html`<details class="time-filter" ref=${details} onKeyDown=${closeOn}>
    <summary><span class="label">Time</span><span class="value">${describeSpan(since, until)}</span></summary>
    <div class="popover" onChange=${change}>
      <p class="recent">
        ${RECENT.map(
          ([label, ms]) =>
            html`<button type="button" onClick=${() => choose(ms)}>last ${label}</button>`,
        )}
      </p>
      <label><span>From (${zoneName()})</span><input type="datetime-local" name="since" value=${toInput(since)} /></label>
      <label><span>To (${zoneName()})</span><input type="datetime-local" name="until" value=${toInput(until)} /></label>
    </div>
  </details>`
}

/**
 * @param {string} since
 * @param {string} until
 */
export function describeSpan(since, until) {
  if (since && until) return `${formatMinute(toIso(since))} – ${formatMinute(toIso(until))}`
  if (since) return `since ${formatMinute(toIso(since))}`
  return until ? `until ${formatMinute(toIso(until))}` : 'any'
}

/**
 * Converts a time for the input element, which has no zone and takes times to the minute.
 * @param {string} time
 */
function toInput(time) {
  if (time === '') return ''
  const date = new Date(toIso(time))
  const shift = zone.state.utc ? 0 : date.getTimezoneOffset() * MINUTE
  return new Date(date.getTime() - shift).toISOString().slice(0, 16)
}

/** @param {string} value */
function fromInput(value) {
  return value === '' ? '' : new Date(zone.state.utc ? `${value}Z` : value).toISOString()
}

/**
 * Accepts epoch milliseconds too, as the API does.
 * @param {string} time
 */
function toIso(time) {
  const date = new Date(/^\d+$/.test(time) ? Number(time) : time)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}
