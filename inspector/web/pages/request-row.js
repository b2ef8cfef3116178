/** One request in the table of the list. */
import { formatDuration, formatFullTime, formatShortTime } from '../lib/format.js'
import { requestUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { inWords, REASONS } from '../lib/words.js'
import { ResultLamp } from '../parts/lamp.js'
import { Trail } from '../parts/trail.js'
import { Gauge } from './table-row.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow */

/** @type {readonly (readonly [name: string, title: string])[]} */
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

/** @type {import('./table-row.js').RowKind<RequestRow>} */
export const REQUEST_ROWS = {
  label: 'Requests',
  columns: COLUMNS,
  keyOf: ({ request_id }) => request_id,
  classOf: ({ ok }) => (ok ? 'ok' : 'failed'),
  cellsOf,
}

/** @param {RequestRow} row */
function cellsOf(row) {
  const { request_id, time, capability_id, ok, code, reason, attempts, duration_ms, caller } = row
  const name = capability_id === null ? 'no capability' : capability_id
  return html`
    <td role="cell" class="time"><time datetime=${time} title=${formatFullTime(time)}>${formatShortTime(time)}</time></td>
    <td role="cell" class="capability" title=${name}>
      <a href=${requestUrl(request_id)}>${name}</a>
    </td>
    <td role="cell" class="result"><${ResultLamp} ok=${ok} code=${code} /></td>
    <td role="cell" class="route"><${Trail} row=${row} /></td>
    <td role="cell" class="reason" title=${reason && inWords(REASONS, reason)}>${reason}</td>
    <td role="cell" class="attempts">${attempts}</td>
    <td role="cell" class="duration">
      ${formatDuration(duration_ms)}
      <${Gauge} ms=${duration_ms ?? 0} />
    </td>
    <td role="cell" class="caller" title=${caller}>${caller}</td>
  `
}
