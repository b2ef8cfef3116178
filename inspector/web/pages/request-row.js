/** One request in the table of the list. */
import { formatDuration, formatFullTime, formatShortTime } from '../lib/format.js'
import { requestUrl } from '../lib/router.js'
import { classes, html, useMemo } from '../lib/view.js'
import { inWords, REASONS } from '../lib/words.js'
import { zone, zoneName } from '../lib/zone.js'
import { ResultLamp } from '../parts/lamp.js'
import { Trail } from '../parts/trail.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow */

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

export function Head() {
  return html`<tr role="row" aria-rowindex="1">
    ${COLUMNS.map(
      ([name, title]) => html`<th role="columnheader" scope="col" class=${name}>
        ${title}${name === 'time' && html` <span class="zone">${zoneName()}</span>`}
      </th>`,
    )}
  </tr>`
}

/**
 * The place of rows that are not drawn.
 * @param {{ height: number }} props
 */
export function Gap({ height }) {
  if (height < 0.5) return null
  return html`<tr class="gap" aria-hidden="true"><td colspan=${COLUMNS.length} style=${{ height: `${height}px` }} /></tr>`
}

/**
 * @param {object} props
 * @param {RequestRow} props.row
 * @param {number} props.index
 * @param {(row: HTMLElement | null) => void} props.measure
 */
export function Row({ row, index, measure }) {
  // Rows move when others arrive, but their cells stay the same: the same cells need no second look.
  const cells = useMemo(() => cellsOf(row), [row, zone.state.utc])
  return html`<tr
    role="row"
    ref=${measure}
    data-index=${index}
    aria-rowindex=${index + 2}
    class=${classes('request', row.ok ? 'ok' : 'failed')}
  >${cells}</tr>`
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
      <span class="gauge" aria-hidden="true"><span style=${{ width: `${gauge(duration_ms ?? 0)}%` }} /></span>
    </td>
    <td role="cell" class="caller" title=${caller}>${caller}</td>
  `
}

/**
 * The width of the bar in percent. Durations range from 1 ms to 30 s, so the scale is logarithmic.
 * @param {number} ms
 */
function gauge(ms) {
  return Math.min(100, Math.max(2, (Math.log10(Math.max(ms, 1)) / Math.log10(30_000)) * 100))
}
