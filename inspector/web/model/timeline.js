/** Places attempts, waits and skipped routes on one time axis. */
import { isSent } from './form.js'

/**
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 * @typedef {{ readonly start: number, readonly end: number }} Span in milliseconds since the request began
 */

/**
 * @typedef {object} TimelineRow
 * @property {Attempt} attempt
 * @property {Span | null} ran null if nothing was sent: for a skipped route, and for an attempt that failed before
 * @property {Span | null} waited the wait between this attempt and the next
 * @property {number} skippedAt where on the axis stands what sent nothing
 */

/**
 * @typedef {object} Timeline
 * @property {TimelineRow[]} rows
 * @property {number} length the length of the axis
 * @property {number[]} ticks
 * @property {number} answered
 * @property {number | null} deadline null if it lies beyond the axis
 */

/** Decisions after which the gateway waits: backoff before a retry, and time for a write to settle. */
const WAITS = new Set(['retry_same', 'verify'])

/**
 * @param {readonly Attempt[]} attempts
 * @param {{ duration_ms: number, timeout_ms: number | null, skippedByPlan: readonly string[] }} request
 * @returns {Timeline}
 */
export function layOut(attempts, { duration_ms, timeout_ms, skippedByPlan }) {
  const spans = spansOf(attempts)
  const end = Math.max(duration_ms, ...spans.map(span => span?.end ?? 0), 0.1)
  const deadline = timeout_ms !== null && timeout_ms <= end * 1.6 ? timeout_ms : null
  const length = Math.max(end, deadline ?? 0) * 1.02
  return {
    rows: attempts.map((attempt, index) => ({
      attempt,
      ran: isSent(attempt) ? (spans[index] ?? null) : null,
      waited: waitAfter(attempt, spans, index),
      skippedAt: skippedByPlan.includes(attempt.route)
        ? 0
        : (spans.slice(0, index).findLast(span => span !== null)?.end ?? 0),
    })),
    length,
    ticks: ticksOf(length),
    answered: duration_ms,
    deadline,
  }
}

/**
 * Older records have no `started_ms`: place their attempts one after the other without gaps.
 * @param {readonly Attempt[]} attempts
 * @returns {(Span | null)[]}
 */
function spansOf(attempts) {
  let lastEnd = 0
  return attempts.map(({ status, started_ms, duration_ms }) => {
    if (status === 'skipped') return null
    const start = started_ms ?? lastEnd
    lastEnd = start + (duration_ms ?? 0)
    return { start, end: lastEnd }
  })
}

/**
 * @param {Attempt} attempt
 * @param {(Span | null)[]} spans
 * @param {number} index
 * @returns {Span | null}
 */
function waitAfter(attempt, spans, index) {
  const ran = spans[index]
  const next = spans.slice(index + 1).find(span => span !== null)
  if (!ran || !next || !WAITS.has(attempt.next ?? '')) return null
  return next.start > ran.end ? { start: ran.end, end: next.start } : null
}

/**
 * Round numbers along the axis, three to six of them.
 * @param {number} length
 */
export function ticksOf(length) {
  const rough = length / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const distance = power * ([1, 2, 5].find(factor => factor * power >= rough) ?? 10)
  const last = Math.floor(length / distance + 1e-9)
  return Array.from({ length: last + 1 }, (_, index) => Number((index * distance).toPrecision(12)))
}
