/** Describes in one or two sentences what happened to a request, and why it took the route it took. */
import { formatDuration } from '../lib/format.js'
import { CODES, inWords, REASONS } from '../lib/words.js'

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
  if (!request.meta) return 'The gateway stopped before it answered this request.'
  // Leave out the reads that verify a write: the last sentence reports their result.
  const legs = legsOf(request.meta.attempts.filter(({ purpose }) => purpose === undefined))
  if (legs.length === 0) return describeWithoutAttempts(request)
  const answering = legs.findIndex(leg => leg.attempts.at(-1)?.status === 'success')
  // Routes that were skipped after the answer did not influence which route answered.
  const before = answering === -1 ? legs : legs.slice(0, answering)
  return sentences([...before.map(describeLeg), describeEnd(request, before, legs[answering])])
}

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
  const doubt = write_outcome === 'unknown' ? ', and the write may have been applied' : ''
  return `The caller got ${code} ${time}${doubt}`
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
  const tries = answering?.attempts.length ?? 1
  const retried = tries === 1 ? '' : ` on attempt ${tries}`
  const why = before.length === 0 && reason ? `: ${inWords(REASONS, reason)}` : ''
  return `${route_used} answered${retried} ${time}${why}`
}

/** @param {RequestDetail} request */
function describeWithoutAttempts({ ok, reason, code }) {
  if (ok) return sentences([`No route was called: ${inWords(REASONS, reason ?? '')}`])
  const why = reason ? inWords(REASONS, reason) : inWords(CODES, code ?? '')
  return sentences([`Refused before any route was tried: ${why}`])
}

/** @param {string[]} parts */
function sentences(parts) {
  return parts.map(part => `${part}.`).join(' ')
}
