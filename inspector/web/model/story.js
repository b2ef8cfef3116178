/** Describes in one or two sentences what happened to a request, and why it took the route it took. */
import { formatDuration } from '../lib/format.js'
import { inWords, REASONS, WRITE_OUTCOMES } from '../lib/words.js'
import { formOf, isOverBudget } from './form.js'
import { refusalOf } from './refusal.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 * @typedef {{ route: string, attempts: Attempt[] }} Leg
 */

/**
 * @param {RequestDetail} request
 * @returns {string}
 */
export function describeRequest(request) {
  if (isOverBudget(request)) return describeOverBudget(request)
  if (!request.meta) return 'The gateway stopped before it answered this request.'
  if (request.answer_from?.borrowed) return describeBorrowed(request)
  // Leave out the reads that verify a write: the last sentence reports their result.
  const legs = legsOf(request.meta.attempts.filter(({ purpose }) => purpose === undefined))
  if (legs.length === 0) return describeWithoutAttempts(request)
  const answering = legs.findIndex(leg => leg.attempts.at(-1)?.status === 'success')
  // Routes that were skipped after the answer did not influence which route answered.
  const before = answering === -1 ? legs : legs.slice(0, answering)
  const first = request.answer_from?.how === 'interrupted' ? [TAKEN_UP] : []
  const end = describeEnd(request, before, legs[answering])
  return sentences([...first, ...before.map(describeLeg), ...absenceOf(request), end])
}

/**
 * Tells the same as of a request whose caller gets the answer, and then that it did not fit.
 * @param {RequestDetail} request
 */
function describeOverBudget(request) {
  const answered = describeRequest({ ...request, ok: true, code: null, error: null })
  const made = request.write_outcome === 'applied' ? ', which says that the change was made' : ''
  return `${answered} The answer was too large for the caller's budget, so the caller got ${request.code}${made}.`
}

/**
 * A write that a check did not find was sent again without harm, or was given up as not applied.
 * @param {RequestDetail} request
 */
function absenceOf({ trace }) {
  const isAbsent = trace?.steps.some(step => step.kind === 'verdict' && step.verdict === 'absent')
  return isAbsent ? ['A check showed that the write had not been applied'] : []
}

/** A check has found nothing, or the change does no harm twice: otherwise it would not have been sent. */
const TAKEN_UP =
  'The first request with this Idempotency-Key was interrupted, so this one sent the write'

/** Something else kept it from being sent, such as a person. */
const NOT_TAKEN_UP =
  'The first request with this Idempotency-Key was interrupted, and this one did not send the write'

/**
 * Groups attempts by route, in order. An attempt and its retries form one leg.
 * @param {readonly Attempt[]} attempts
 * @returns {Leg[]}
 */
export function legsOf(attempts) {
  /** @type {Leg[]} */
  const legs = []
  for (const attempt of attempts) {
    const last = legs.at(-1)
    const goesOn = last?.route === attempt.route && attempt.status !== 'skipped'
    if (goesOn) last.attempts.push(attempt)
    else legs.push({ route: attempt.route, attempts: [attempt] })
  }
  return legs
}

/** @param {Leg} leg */
function describeLeg({ route, attempts }) {
  const last = /** @type {Attempt} */ (attempts.at(-1))
  if (last.status === 'skipped') {
    return `${route} was skipped: ${inWords(REASONS, last.reason ?? '')}`
  }
  const times = attempts.length === 1 ? '' : ` ${attempts.length} times`
  const status = last.upstream_status === undefined ? '' : `, HTTP ${last.upstream_status}`
  return `${route} failed${times} with ${last.error_code}${status}`
}

/**
 * @param {RequestDetail} request
 * @param {readonly Leg[]} before
 * @param {Leg | undefined} answering
 */
function describeEnd(request, before, answering) {
  const { ok, reason, code, duration_ms, write_outcome } = request
  const time = `after ${formatDuration(duration_ms)}`
  if (reason === 'RECOVERED') return `A check showed ${time} that the write had been applied`
  if (ok) return describeSource(request, before, answering)
  // A verdict that it is absent has a sentence of its own.
  const isSaid = absenceOf(request).length > 0 && write_outcome === 'not_applied'
  return `The caller got ${code} ${time}${isSaid ? '' : effectOf(request)}`
}

/**
 * Says what a failed write has done upstream, which the code alone does not show.
 * @param {RequestDetail} request
 */
function effectOf({ write_outcome: outcome }) {
  return outcome
    ? `, ${outcome === 'applied' ? 'but' : 'and'} ${inWords(WRITE_OUTCOMES, outcome)}`
    : ''
}

/**
 * Names what answered: a route, or memory after all of them.
 * @param {RequestDetail} request
 * @param {readonly Leg[]} before
 * @param {Leg | undefined} answering
 */
function describeSource({ route_used, reason, duration_ms, meta }, before, answering) {
  const time = `after ${formatDuration(duration_ms)}`
  if (reason === 'CACHE_HIT') {
    return `Memory answered ${time}, with an answer from ${formatDuration(meta?.age_ms ?? 0)} before`
  }
  const tries = triesOf(answering)
  const retried = tries === 1 ? '' : ` on attempt ${tries}`
  const why = before.length === 0 && reason ? `: ${inWords(REASONS, reason)}` : ''
  return `${route_used} answered${retried} ${time}${why}`
}

/**
 * As the envelope counts them; records of older versions have no count.
 * @param {Leg | undefined} leg
 */
function triesOf(leg) {
  if (!leg) return 1
  const retry = leg.attempts.at(-1)?.retry
  return retry === undefined ? leg.attempts.length : retry + 1
}

/**
 * The attempts in the answer are those of another request.
 * @param {RequestDetail} request
 */
function describeBorrowed(request) {
  const { ok, code, duration_ms } = request
  const form = formOf(request)
  if (form === 'stale') {
    return 'The identical request that it waited for failed, so memory answered. Nothing was sent.'
  }
  const source =
    form === 'coalesced' ? REASONS.COALESCED : `the caller got ${REASONS.IDEMPOTENT_REPLAY}`
  const failed = ok ? '' : `, a failure: ${code}${effectOf(request)}`
  return `Nothing was sent: ${source}, after ${formatDuration(duration_ms)}${failed}.`
}

/** @param {RequestDetail} request */
function describeWithoutAttempts(request) {
  const { ok, reason } = request
  const takesUp = request.answer_from?.how === 'interrupted'
  if (takesUp && (ok || reason === 'WRITE_OUTCOME_UNKNOWN')) return describeTakenUp(request)
  if (ok) return sentences([`No route was called: ${inWords(REASONS, reason ?? '')}`])
  return sentences([
    ...(takesUp ? [NOT_TAKEN_UP] : []),
    `Refused before any route was tried: ${refusalOf(request)}`,
  ])
}

/**
 * A write whose first request was interrupted, and that was not sent again.
 * @param {RequestDetail} request
 */
function describeTakenUp({ ok, code, duration_ms }) {
  const time = `after ${formatDuration(duration_ms)}`
  return ok
    ? `The write was not sent again: a check showed ${time} that the interrupted request had made it.`
    : `The write was not sent again: no check could tell what the interrupted request had done. The caller got ${code} ${time}.`
}

/** @param {string[]} parts */
function sentences(parts) {
  return parts.map(part => `${part}.`).join(' ')
}
