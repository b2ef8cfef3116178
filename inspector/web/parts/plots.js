/** Small SVG plots over time, with one point for each bucket that had calls. */
import {
  formatAxisTime,
  formatCount,
  formatCounted,
  formatDuration,
  formatPercent,
} from '../lib/format.js'
import { html } from '../lib/view.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').StatsRow} StatsRow
 * @typedef {import('../model/series.js').Axis} Axis
 * @typedef {{ name: string, points: readonly StatsRow[], axis: Axis }} PlotProps
 */

const WIDTH = 240
const HEIGHT = 56
const TOP = 4
/** The base line. The times at both ends stand below it. */
const BASE = 42

/**
 * The calls in each bucket as a bar, with the failed calls on top of the successful ones.
 * @param {PlotProps} props
 */
export function SuccessPlot({ name, points, axis }) {
  const most = Math.max(1, ...points.map(point => point.count))
  const width = Math.max(1.5, widthOf(axis) - 1)
  const heightOf = (/** @type {number} */ calls) => (calls / most) * (BASE - TOP)
  return html`<${Frame} axis=${axis} top=${formatCount(most)} label=${labelOf(name, 'calls', points)}>
    ${points.map(point => {
      const x = xOf(point, axis)
      const good = heightOf(point.success)
      const bad = heightOf(point.count - point.success)
      return html`<g>
        <title>${describePoint(point, axis)}</title>
        <rect class="good" x=${x} y=${BASE - good} width=${width} height=${good} />
        <rect class="bad" x=${x} y=${BASE - good - bad} width=${width} height=${bad} />
      </g>`
    })}
  <//>`
}

/**
 * The median as a line, p95 as a thinner one, and the band between median and p99.
 * @param {PlotProps} props
 */
export function LatencyPlot({ name, points, axis }) {
  const timed = points.filter(point => point.p99_ms !== null)
  const most = Math.max(1, ...timed.map(point => point.p99_ms ?? 0))
  const at = (/** @type {StatsRow} */ point, /** @type {'p50_ms' | 'p95_ms' | 'p99_ms'} */ share) =>
    /** @type {const} */ ([
      xOf(point, axis) + widthOf(axis) / 2,
      BASE - ((point[share] ?? 0) / most) * (BASE - TOP),
    ])
  const line = (/** @type {'p50_ms' | 'p95_ms' | 'p99_ms'} */ share) =>
    timed.map(point => at(point, share))
  const band = [...line('p99_ms'), ...line('p50_ms').reverse()]
  return html`<${Frame} axis=${axis} top=${formatDuration(most)} label=${labelOf(name, 'latency', points)}>
    ${timed.length > 0 && html`<path class="band" d="${pathOf(band)}z" />`}
    <path class="p95" d=${pathOf(line('p95_ms'))} />
    <path class="p50" d=${pathOf(line('p50_ms'))} />
    ${timed.map(point => {
      const [x, y] = at(point, 'p50_ms')
      return html`<circle class="dot" cx=${x} cy=${y} r="1.6"><title>${describePoint(point, axis)}</title></circle>`
    })}
  <//>`
}

/** @param {{ axis: Axis, top: string, label: string, children?: import('../lib/view.js').Children }} props */
function Frame({ axis, top, label, children }) {
  const span = axis.until - axis.since
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    <path class="grid" d="M0 ${TOP}H${WIDTH}M0 ${(TOP + BASE) / 2}H${WIDTH}" />
    <path class="base" d="M0 ${BASE}H${WIDTH}" />
    ${children}
    <text x="0" y=${TOP + 8} class="top">${top}</text>
    <text x="0" y=${HEIGHT - 3}>${formatAxisTime(axis.since, span)}</text>
    <text x=${WIDTH} y=${HEIGHT - 3} text-anchor="end">${formatAxisTime(axis.until, span)}</text>
  </svg>`
}

/**
 * @param {StatsRow} point
 * @param {Axis} axis
 */
function xOf({ time }, { since, until }) {
  return ((Date.parse(time) - since) / (until - since)) * WIDTH
}

/** @param {Axis} axis */
function widthOf({ since, until, bucketMs }) {
  return (bucketMs / (until - since)) * WIDTH
}

/** @param {readonly (readonly [number, number])[]} points */
function pathOf(points) {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}

/**
 * @param {StatsRow} point
 * @param {Axis} axis
 */
function describePoint({ time, count: calls, success_rate, p50_ms, p95_ms, p99_ms }, axis) {
  const start = Date.parse(time)
  const span = `${formatAxisTime(start, axis.bucketMs)}–${formatAxisTime(start + axis.bucketMs, axis.bucketMs)}`
  const latency = `p50 ${formatDuration(p50_ms)}, p95 ${formatDuration(p95_ms)}, p99 ${formatDuration(p99_ms)}`
  return `${span}: ${formatCounted(calls, 'call')}, ${formatPercent(success_rate)} succeeded; ${latency}`
}

/**
 * @param {string} name
 * @param {'calls' | 'latency'} what
 * @param {readonly StatsRow[]} points
 */
function labelOf(name, what, points) {
  const calls = points.reduce((sum, point) => sum + point.count, 0)
  const slowest = Math.max(0, ...points.map(point => point.p95_ms ?? 0))
  return what === 'calls'
    ? `Calls of ${name} over time: ${formatCount(calls)} in total`
    : `Latency of ${name} over time: p95 at most ${formatDuration(slowest)}`
}
