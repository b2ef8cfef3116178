/**
 * What happened to a request in one or two sentences: the answer to "why did it go there?" before anything
 * else is read.
 */
import { duration } from '../lib/format.js'
import { CODES, inWords, REASONS } from '../lib/words.js'

/**
 * @typedef {import('../../../src/journal/journal.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 * @typedef {{ route: string, attempts: Attempt[] }} Leg
 */

/**
 * @param {RequestDetail} request
 * @returns {string}
 */
export function tellStory(request) {
  if (!request.meta) return 'The gateway stopped before this request was answered.'
  // What looked whether a write had happened is told by the end of the story.
  const legs = legsOf(request.meta.attempts.filter(({ purpose }) => purpose === undefined))
  if (legs.length === 0) return tellWithoutAttempts(request)
  const answering = legs.findIndex(leg => leg.attempts.at(-1)?.status === 'success')
  // What was passed over after the answer led nowhere, and is no part of why it came from there.
  const before = answering === -1 ? legs : legs.slice(0, answering)
  return sentences([...before.map(tellLeg), tellEnd(request, before, legs[answering])])
}

/**
 * The attempts of one route after the other; the retries of a route are one leg.
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
function tellLeg({ route, attempts }) {
  const last = /** @type {Attempt} */ (attempts.at(-1))
  if (last.status === 'skipped') {
    return `${route} was passed over: ${inWords(REASONS, last.reason ?? '')}`
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
function tellEnd({ ok, route_used, reason, code, duration_ms, write_outcome }, before, answering) {
  const time = `after ${duration(duration_ms)}`
  if (reason === 'RECOVERED') return `The change was found to have happened, ${time}`
  if (ok) {
    const tries = answering?.attempts.length ?? 1
    const retried = tries === 1 ? '' : ` at attempt ${tries}`
    const why = before.length === 0 && reason ? `: ${inWords(REASONS, reason)}` : ''
    return `${route_used} answered${retried} ${time}${why}`
  }
  if (write_outcome === 'unknown') return `Whether the change happened is not known, ${time}`
  return `The caller got ${code} ${time}`
}

/** @param {RequestDetail} request */
function tellWithoutAttempts({ ok, reason, code }) {
  if (ok) return sentences([`No route was asked: ${inWords(REASONS, reason ?? '')}`])
  const why = reason ? inWords(REASONS, reason) : inWords(CODES, code ?? '')
  return sentences([`Refused before any route was tried: ${why}`])
}

/** @param {string[]} parts */
function sentences(parts) {
  return parts.map(part => `${part}.`).join(' ')
}
