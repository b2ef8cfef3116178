import { formatDuration, formatFullTime, formatShortTime } from '../lib/format.js'
import { requestUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { inWords, REASONS } from '../lib/words.js'
import { ResultLamp } from '../parts/lamp.js'
import { Trail } from '../parts/trail.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow */

/**
 * On a phone the stylesheet turns rows into cards, and browsers then drop the table roles. Explicit roles
 * restore them.
 * @param {{ rows: readonly RequestRow[], onHold: (reading: boolean) => void }} props
 */
export function RequestTable({ rows, onHold }) {
  const leave = (/** @type {PointerEvent | FocusEvent} */ event) => {
    const body = /** @type {HTMLElement} */ (event.currentTarget)
    queueMicrotask(() => onHold(body.matches(':focus-within, :hover')))
  }
  return html`<table class="requests" role="table" aria-label="Requests">
    <thead role="rowgroup">
      <tr role="row">
        ${COLUMNS.map(
          ([name, title]) => html`<th role="columnheader" scope="col" class=${name}>${title}</th>`,
        )}
      </tr>
    </thead>
    <tbody
      role="rowgroup"
      onPointerEnter=${() => onHold(true)}
      onPointerLeave=${leave}
      onFocusIn=${() => onHold(true)}
      onFocusOut=${leave}
    >
      ${rows.map(row => html`<${Row} key=${row.request_id} row=${row} />`)}
    </tbody>
  </table>`
}

const COLUMNS = [
  ['time', 'Time'],
  ['capability', 'Capability'],
  ['result', 'Result'],
  ['route', 'Route'],
  ['reason', 'Reason'],
  ['attempts', 'Attempts'],
  ['duration', 'Duration'],
  ['caller', 'Caller'],
]

/** @param {{ row: RequestRow }} props */
function Row({ row }) {
  const { request_id, time, capability_id, ok, code, reason, attempts, duration_ms, caller } = row
  const { trail } = row
  return html`<tr role="row" class=${ok ? 'ok' : 'failed'}>
    <td role="cell" class="time"><time datetime=${time} title=${formatFullTime(time)}>${formatShortTime(time)}</time></td>
    <td role="cell" class="capability">
      <a href=${requestUrl(request_id)}>${capability_id ?? 'no capability'}</a>
    </td>
    <td role="cell" class="result"><${ResultLamp} ok=${ok} code=${code} /></td>
    <td role="cell" class="route">
      ${trail.length > 0 && html`<${Trail} trail=${trail} />`}
    </td>
    <td role="cell" class="reason" title=${reason && inWords(REASONS, reason)}>${reason}</td>
    <td role="cell" class="attempts">${attempts}</td>
    <td role="cell" class="duration">
      ${formatDuration(duration_ms)}
      <span class="gauge" aria-hidden="true"><span style=${{ width: `${gauge(duration_ms)}%` }} /></span>
    </td>
    <td role="cell" class="caller">${caller}</td>
  </tr>`
}

/**
 * The width of the bar in percent. Durations range from 1 ms to 30 s, so the scale is logarithmic.
 * @param {number} ms
 */
function gauge(ms) {
  return Math.min(100, Math.max(2, (Math.log10(Math.max(ms, 1)) / Math.log10(30_000)) * 100))
}
