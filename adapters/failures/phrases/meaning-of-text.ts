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

const PART =
  '(?:(?:content[- ]type|media type|user[- ]agent|api[- ]version|[\\w-]{1,40}-version|accept|client version)\\b|(?:http|request) header|headers?\\b)'
const WRONG =
  '(?:required|missing|not (?:found|supported|acceptable|valid|defined)|invalid|unsupported|unknown|bad|too old|should be|must (?:be|accept)|expecting|failed)'

/** A refusal of a header, media type or version: the gateway adds those, not the caller. */
export const GATEWAYS_OWN = new RegExp(
  `(?<![\\w-])(?:${PART}.{0,80}\\b${WRONG}|${WRONG}\\b.{0,40}(?<![\\w-])${PART})`,
  'i',
)
