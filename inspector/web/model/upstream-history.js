/** Where the points of an upstream's history lie on a time axis. */

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').UpstreamHistory} History
 * @typedef {History['quotas'][number]['points'][number]} QuotaPoint
 * @typedef {History['circuits'][number]['points'][number]} CircuitPoint
 * @typedef {import('./time-window.js').Range} Range
 */

/**
 * A path in steps: a quota stays until its next report. It is full again at its reset, without a report.
 * @param {readonly QuotaPoint[]} points oldest first
 * @param {Range} window
 * @param {{ width: number, height: number, most: number }} size
 */
export function quotaLine(points, { since, until }, { width, height, most }) {
  const x = (/** @type {number} */ time) => round(((time - since) / (until - since)) * width)
  const y = (/** @type {number} */ left) => round(height - (left / most) * height)
  let path = ''
  points.forEach(({ time, remaining, limit, reset_at }, index) => {
    const start = Date.parse(time)
    const next = points[index + 1]
    const end = Math.min(next ? Date.parse(next.time) : until, until)
    const reset = reset_at === null || limit === null ? end : Date.parse(reset_at)
    path += `${index === 0 ? 'M' : 'L'}${x(start)} ${y(remaining)}`
    if (reset > start && reset < end) path += `H${x(reset)}V${y(limit ?? remaining)}`
    path += `H${x(end)}`
  })
  return path
}

/**
 * Shares of the axis at which a circuit was not closed.
 * @param {readonly CircuitPoint[]} points
 * @param {Range} window
 * @param {number} bucketMs
 */
export function circuitBands(points, { since, until }, bucketMs) {
  return points.map(({ time, state }) => {
    const start = Date.parse(time)
    const at = (/** @type {number} */ moment) => (moment - since) / (until - since)
    return { time: start, state, from: at(start), to: at(start + bucketMs) }
  })
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}
