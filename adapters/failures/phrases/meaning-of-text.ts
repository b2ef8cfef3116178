import { type Meaning, RANK } from '../vocabulary/meaning.ts'
import { PHRASES } from './table.ts'

/** Whole words only: `timeout` in `timeout-lib` is a name. */
export const COMPILED = PHRASES.map(({ rank, verdict, phrases }) => ({
  rank: RANK[rank],
  verdict,
  pattern: new RegExp(`(?<![\\w-])(?:${phrases.join('|')})(?![\\w-])`, 'i'),
}))

/**
 * The meaning of masked messages: the phrase of the highest rank wins, wherever it stands; among equals, the
 * group that stands first. Null if they contain no known phrase.
 */
export function meaningOfText(maskedMessages: readonly string[]): Meaning | null {
  let best: Meaning | null = null
  for (const { rank, verdict, pattern } of COMPILED) {
    if (best && rank <= best.rank) continue
    if (maskedMessages.some(message => pattern.test(message))) best = { verdict, rank }
  }
  return best
}
