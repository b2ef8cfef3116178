/** Draws the attempts, waits and skipped routes of a request on one time axis. */
import { formatDuration } from '../lib/format.js'
import { html } from '../lib/view.js'
import { DECISIONS, inWords, REASONS, WRITE_OUTCOMES } from '../lib/words.js'
import { layOut } from '../model/timeline.js'
import { Lamp } from '../parts/lamp.js'

/**
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../model/timeline.js').Timeline} Timeline
 * @typedef {import('../model/timeline.js').TimelineRow} TimelineRow
 */

/** @param {{ request: RequestDetail, attempts: readonly Attempt[] }} props */
export function Waterfall({ request, attempts }) {
  const timeline = layOut(attempts, {
    duration_ms: request.duration_ms,
    timeout_ms: request.trace?.timeout_ms ?? null,
    skippedByPlan: request.plan?.skipped.map(({ route }) => route) ?? [],
  })
  return html`<section aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    <table class="waterfall" role="table" aria-labelledby="attempts">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Route</th>
          <th role="columnheader" scope="col" class="lane"><${Axis} timeline=${timeline} /></th>
          <th role="columnheader" scope="col" class="duration">Duration</th>
          <th role="columnheader" scope="col">Result</th>
          <th role="columnheader" scope="col">Next step</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${timeline.rows.map(row => html`<${Row} row=${row} timeline=${timeline} />`)}
      </tbody>
    </table>
    <${Legend} timeline=${timeline} />
  </section>`
}

/** @param {{ timeline: Timeline }} props */
function Axis({ timeline: { ticks, length } }) {
  return html`<span class="visually-hidden">Time</span>
    <span class="axis" aria-hidden="true">
      ${ticks.map(
        tick =>
          html`<span style=${{ left: place(tick, length) }}>${tick === 0 ? '0' : formatDuration(tick)}</span>`,
      )}
    </span>`
}

/** @param {{ row: TimelineRow, timeline: Timeline }} props */
function Row({ row, timeline }) {
  const { attempt } = row
  const { route, status, retry, duration_ms, next, purpose } = attempt
  return html`<tr role="row" class="attempt ${status}">
    <th role="rowheader" scope="row">
      <${Lamp} status=${status} />${route} ${retry ? html`<small>retry ${retry}</small>` : null}
      ${purpose === 'verify' && html`<small>checks the write</small>`}
    </th>
    <td role="cell" class="lane"><${Lane} row=${row} timeline=${timeline} /></td>
    <td role="cell" class="duration">${formatDuration(duration_ms)}</td>
    <td role="cell" class="result"><${AttemptResult} attempt=${attempt} /></td>
    <td role="cell" class="next">
      ${next && `→ ${inWords(DECISIONS, next)}`}
      ${row.waited && html`<small>waited ${formatDuration(row.waited.end - row.waited.start)}</small>`}
    </td>
  </tr>`
}

/** @param {{ row: TimelineRow, timeline: Timeline }} props */
function Lane({ row: { ran, waited, skippedAt }, timeline }) {
  const { length, ticks, deadline, answered } = timeline
  return html`<div class="track" aria-hidden="true">
    ${ticks.map(tick => html`<span class="tick" style=${{ left: place(tick, length) }} />`)}
    ${ran && html`<span class="bar" style=${extent(ran, length)} />`}
    ${waited && html`<span class="wait" style=${extent(waited, length)} />`}
    ${!ran && html`<span class="skip-mark" style=${{ left: place(skippedAt, length) }} />`}
    <span class="answered" style=${{ left: place(answered, length) }} />
    ${deadline !== null && html`<span class="deadline" style=${{ left: place(deadline, length) }} />`}
  </div>`
}

/** @param {{ attempt: Attempt }} props */
function AttemptResult({ attempt }) {
  const { status, error_code, reason, message, upstream_request_id } = attempt
  const text = message ?? (reason && `${capitalize(inWords(REASONS, reason))}.`)
  return html`
    <p class="verdict">
      <strong>${status === 'skipped' ? `Skipped: ${reason}` : (error_code ?? 'OK')}</strong>
      ${factsOf(attempt).map(fact => html`<span class="fact">${fact}</span>`)}
    </p>
    ${text && html`<p class="message">${text}</p>`}
    ${upstream_request_id && html`<p class="upstream-id">upstream request id <code>${upstream_request_id}</code></p>`}
  `
}

/** @param {Attempt} attempt */
function factsOf(attempt) {
  const { status, upstream_status, upstream_requests, shared_by } = attempt
  const { write_outcome, retry_after_ms } = attempt
  const waits = status !== 'skipped' && retry_after_ms !== undefined
  return [
    upstream_status !== undefined && `HTTP ${upstream_status}`,
    upstream_requests !== undefined && `${upstream_requests} requests`,
    shared_by !== undefined && `one request for ${shared_by} calls`,
    write_outcome && inWords(WRITE_OUTCOMES, write_outcome),
    waits && `upstream asked to wait ${formatDuration(retry_after_ms)}`,
  ].filter(fact => typeof fact === 'string')
}

/** @param {{ timeline: Timeline }} props */
function Legend({ timeline: { rows, deadline } }) {
  return html`<p class="legend" aria-hidden="true">
    <span><i class="bar success" /> answered</span>
    <span><i class="bar error" /> failed</span>
    ${rows.some(row => row.waited) && html`<span><i class="wait" /> waited</span>`}
    ${rows.some(row => !row.ran) && html`<span><i class="skip-mark" /> skipped</span>`}
    <span><i class="answered" /> answer sent</span>
    ${deadline !== null && html`<span><i class="deadline" /> deadline</span>`}
  </p>`
}

/** @param {string} text */
function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * @param {number} ms
 * @param {number} length
 */
function place(ms, length) {
  return `${Math.min(100, (ms / length) * 100)}%`
}

/**
 * @param {import('../model/timeline.js').Span} span
 * @param {number} length
 */
function extent({ start, end }, length) {
  return { left: place(start, length), width: place(end - start, length) }
}
