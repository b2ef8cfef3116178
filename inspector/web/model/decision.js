/** Says what followed an attempt, in words. */
import { DECISIONS, inWords } from '../lib/words.js'

/**
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 */

/**
 * The decision after an attempt; null if there was none. A decision for another route can come to nothing.
 * @param {Attempt} attempt
 * @param {readonly Attempt[]} attempts of the same request
 */
export function wordsOfDecision({ route, next, purpose, started_ms: started = 0 }, attempts) {
  if (!next) return null
  if (next !== 'next_route') return inWords(DECISIONS, next)
  const others = attempts.filter(other => other.route !== route && other.purpose === purpose)
  const isTried = others.some(
    ({ status, started_ms = started }) => status !== 'skipped' && started_ms >= started,
  )
  if (isTried) return inWords(DECISIONS, next)
  return others.some(({ reason }) => reason === 'DEADLINE')
    ? 'no time was left for another route'
    : 'no other route could be used'
}
