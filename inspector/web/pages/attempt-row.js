/** One attempt in the table of the list. */
import { formatDuration, formatFullTime, formatShortTime } from '../lib/format.js'
import { attemptUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { DECISIONS, inWords, REASONS } from '../lib/words.js'
import { keyOfAttempt } from '../model/attempt-list.js'
import { Lamp } from '../parts/lamp.js'
import { Gauge } from './table-row.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').AttemptRow} AttemptRow */

/** @type {import('./table-row.js').RowKind<AttemptRow>} */
export const ATTEMPT_ROWS = {
  label: 'Attempts',
  columns: [
    ['time', 'Time'],
    ['capability', 'Capability'],
    ['result', 'Result'],
    ['route', 'Route'],
    ['reason', 'Then'],
    ['attempts', 'HTTP'],
    ['duration', 'Duration'],
    ['caller', 'Caller'],
  ],
  keyOf: keyOfAttempt,
  classOf: ({ status }) => (status === 'error' ? 'failed' : 'ok'),
  cellsOf,
}

/** @param {AttemptRow} row */
function cellsOf(row) {
  const { request_id, index, time, capability_id, status, code, route, purpose } = row
  const { reason, next, upstream_status, duration_ms, caller } = row
  const name = capability_id ?? 'no capability'
  const result = { success: 'OK', error: code ?? 'failed', skipped: reason ?? 'skipped' }[status]
  const why = reason ? inWords(REASONS, reason) : result
  const then = next && inWords(DECISIONS, next)
  return html`
    <td role="cell" class="time"><time datetime=${time} title=${formatFullTime(time)}>${formatShortTime(time)}</time></td>
    <td role="cell" class="capability" title=${name}>
      <a href=${attemptUrl(request_id, index)}>${name}</a>
    </td>
    <td role="cell" class="result" title=${why}>
      <span class="result-lamp ${status}"><${Lamp} status=${status} />${result}</span>
    </td>
    <td role="cell" class="route">${route} ${purpose === 'verify' && html`<small>checks a write</small>`}</td>
    <td role="cell" class="reason" title=${then}>${then}</td>
    <td role="cell" class="attempts">${upstream_status}</td>
    <td role="cell" class="duration">
      ${formatDuration(duration_ms)}
      ${duration_ms !== null && html`<${Gauge} ms=${duration_ms} />`}
    </td>
    <td role="cell" class="caller" title=${caller}>${caller}</td>
  `
}
