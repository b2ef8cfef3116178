/** Says what followed an attempt, in words. */
import { DECISIONS, inWords } from '../lib/words.js'

/**
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 */

/**
 * The decision after an attempt; null if there was none. A decision for another route can come to nothing, and a check can lead to one.
 * @param {Attempt} attempt
 * @param {readonly Attempt[]} attempts of the same request, this one included
 */
export function wordsOfDecision(attempt, attempts) {
  const { next, route, purpose } = attempt
  if (!next) return null
  const words = inWords(DECISIONS, next)
  if (next === 'verify')
    return isOtherTried(attempt, attempts) ? `${words}, then ${DECISIONS.next_route}` : words
  if (next !== 'next_route' || isOtherTried(attempt, attempts)) return words
  const others = attempts.filter(other => other.route !== route && other.purpose === purpose)
  return others.some(({ reason }) => reason === 'DEADLINE')
    ? 'no time was left for another route'
    : 'no other route could be used'
}

/**
 * Whether another route was tried next, as in `src/model/fell-back.ts`.
 * @param {Attempt} attempt
 * @param {readonly Attempt[]} attempts
 */
function isOtherTried(attempt, attempts) {
  const later = attempts
    .slice(attempts.indexOf(attempt) + 1)
    .find(({ status, purpose }) => status !== 'skipped' && purpose === attempt.purpose)
  return later !== undefined && later.route !== attempt.route
}
