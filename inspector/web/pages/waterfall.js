/** Draws the attempts, waits and skipped routes of a request on one time axis. */
import { formatCounted, formatDuration } from '../lib/format.js'
import { listUrl } from '../lib/router.js'
import { classes, html } from '../lib/view.js'
import { inWords, REASONS, WRITE_OUTCOMES } from '../lib/words.js'
import { wordsOfDecision } from '../model/decision.js'
import { countAttempts, isSent } from '../model/form.js'
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
  return request.answer_from?.borrowed
    ? html`<${BorrowedAttempts} attempts=${attempts} />`
    : html`<${OwnAttempts} request=${request} attempts=${attempts} />`
}

/**
 * The attempts of another request, without bars: this request made none of them.
 * @param {{ attempts: readonly Attempt[] }} props
 */
function BorrowedAttempts({ attempts }) {
  return html`<section aria-labelledby="attempts">
    <h2 id="attempts">Attempts of the other request</h2>
    <p class="lead">The other request made ${describeCounts(attempts)} This one made none.</p>
    <table class="waterfall borrowed" role="table" aria-labelledby="attempts">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Route</th>
          <th role="columnheader" scope="col" class="duration">Duration</th>
          <th role="columnheader" scope="col">Result</th>
          <th role="columnheader" scope="col">Next step</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${attempts.map(
          attempt => html`<tr role="row" class="attempt ${attempt.status}">
            <${RouteName} attempt=${attempt} />
            <td role="cell" class="duration">${formatDuration(attempt.duration_ms)}</td>
            <td role="cell" class="result"><${AttemptResult} attempt=${attempt} /></td>
            <td role="cell" class="next"><${Decision} attempt=${attempt} attempts=${attempts} /></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/**
 * @param {readonly Attempt[]} attempts
 * @param {number} [made]
 */
function describeCounts(attempts, made) {
  const { tried, skipped, checks } = countAttempts(attempts)
  const parts = [
    plural(made ?? tried, 'attempt', 'attempts'),
    skipped > 0 && plural(skipped, 'skipped route', 'skipped routes'),
    checks > 0 && plural(checks, 'read that checked the write', 'reads that checked the write'),
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function plural(count, one, many) {
  return `${count} ${count === 1 ? one : many}`
}

/** @param {{ request: RequestDetail, attempts: readonly Attempt[] }} props */
function OwnAttempts({ request, attempts }) {
  const timeline = layOut(attempts, {
    duration_ms: request.duration_ms ?? 0,
    timeout_ms: request.trace?.timeout_ms ?? null,
    skippedByPlan: request.plan?.skipped.map(({ route }) => route) ?? [],
  })
  return html`<section aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    <p class="lead">${describeCounts(attempts, request.attempts)}</p>
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
  const { status, duration_ms, purpose } = attempt
  const attempts = timeline.rows.map(other => other.attempt)
  return html`<tr role="row" class=${classes('attempt', status, purpose)}>
    <${RouteName} attempt=${attempt} />
    <td role="cell" class="lane"><${Lane} row=${row} timeline=${timeline} /></td>
    <td role="cell" class="duration">${formatDuration(duration_ms)}</td>
    <td role="cell" class="result"><${AttemptResult} attempt=${attempt} /></td>
    <td role="cell" class="next">
      <${Decision} attempt=${attempt} attempts=${attempts} />
      ${row.waited && html`<small>waited ${formatDuration(row.waited.end - row.waited.start)}</small>`}
    </td>
  </tr>`
}

/** @param {{ attempt: Attempt, attempts: readonly Attempt[] }} props */
function Decision({ attempt, attempts }) {
  const words = wordsOfDecision(attempt, attempts)
  return words && `→ ${words}`
}

/** @param {{ attempt: Attempt }} props */
function RouteName({ attempt: { route, status, retry, purpose, capability_id } }) {
  return html`<th role="rowheader" scope="row">
    <${Lamp} status=${status} />${route} ${retry ? html`<small>retry ${retry}</small>` : null}${' '}
    ${purpose === 'verify' && html`<small>checks the write by ${capability_id}</small>`}
  </th>`
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
      ${attempt.upstream_status !== undefined && html`<${UpstreamStatus} status=${attempt.upstream_status} />`}
      ${factsOf(attempt).map(fact => html`<span class="fact">${fact}</span>`)}
    </p>
    ${text && html`<p class="message">${text}</p>`}
    ${upstream_request_id && html`<p class="upstream-id">upstream request id <code>${upstream_request_id}</code></p>`}
  `
}

/** @param {{ status: number }} props */
function UpstreamStatus({ status }) {
  const same = new URLSearchParams({ upstream_status: String(status) })
  return html`<a class="fact" href=${listUrl(same)} title="All requests with this status of the upstream">HTTP ${status}</a>`
}

/** @param {Attempt} attempt */
function factsOf(attempt) {
  const { status, upstream_requests, shared_by } = attempt
  const { write_outcome, retry_after_ms } = attempt
  const waits = status !== 'skipped' && retry_after_ms !== undefined
  return [
    upstream_requests !== undefined &&
      isSent(attempt) &&
      formatCounted(upstream_requests, 'request'),
    status !== 'skipped' && !isSent(attempt) && 'nothing sent',
    shared_by !== undefined && `one request for ${formatCounted(shared_by, 'call')}`,
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
    ${rows.some(isCheck) && html`<span><i class="bar check" /> checked the write</span>`}
    ${rows.some(row => !row.ran) && html`<span><i class="skip-mark" /> skipped, or nothing sent</span>`}
    <span><i class="answered" /> answer sent</span>
    ${deadline !== null && html`<span><i class="deadline" /> deadline</span>`}
  </p>`
}

/** @param {TimelineRow} row */
function isCheck({ attempt }) {
  return attempt.purpose === 'verify'
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
