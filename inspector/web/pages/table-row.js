/** The rows of a list, of whatever they are. */
import { classes, html, useMemo } from '../lib/view.js'
import { zone, zoneName } from '../lib/zone.js'

/**
 * Describes the rows of a table.
 * @template R
 * @typedef {object} RowKind
 * @property {string} label of the table
 * @property {readonly (readonly [name: string, title: string])[]} columns
 * @property {(row: R) => string} keyOf
 * @property {(row: R) => string} classOf
 * @property {(row: R) => unknown} cellsOf
 */

/** @param {{ columns: RowKind<never>['columns'] }} props */
export function Head({ columns }) {
  return html`<tr role="row" aria-rowindex="1">
    ${columns.map(
      ([name, title]) => html`<th role="columnheader" scope="col" class=${name}>
        ${title}${name === 'time' && html` <span class="zone">${zoneName()}</span>`}
      </th>`,
    )}
  </tr>`
}

/**
 * The place of rows that are not drawn.
 * @param {{ height: number, columns: number }} props
 */
export function Gap({ height, columns }) {
  if (height < 0.5) return null
  return html`<tr class="gap" aria-hidden="true"><td colspan=${columns} style=${{ height: `${height}px` }} /></tr>`
}

/**
 * @template R
 * @param {object} props
 * @param {RowKind<R>} props.kind
 * @param {R} props.row
 * @param {number} props.index
 * @param {(row: HTMLElement | null) => void} props.measure
 */
export function Row({ kind, row, index, measure }) {
  // Rows move when others arrive, but their cells stay the same: the same cells need no second look.
  const cells = useMemo(() => kind.cellsOf(row), [row, zone.state.utc])
  return html`<tr
    role="row"
    ref=${measure}
    data-index=${index}
    data-key=${kind.keyOf(row)}
    aria-rowindex=${index + 2}
    class=${classes('request', kind.classOf(row))}
  >${cells}</tr>`
}

/**
 * A bar for a duration. Durations range from 1 ms to 30 s, so the scale is logarithmic.
 * @param {{ ms: number }} props
 */
export function Gauge({ ms }) {
  const share = Math.log10(Math.max(ms, 1)) / Math.log10(30_000)
  const percent = Math.min(100, Math.max(2, share * 100))
  return html`<span class="gauge" aria-hidden="true" style=${{ backgroundSize: `${percent}% 100%` }} />`
}
