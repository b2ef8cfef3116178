import { remember } from '../../../src/lib/remember.ts'
import { type Meaning, RANK } from '../vocabulary/meaning.ts'
import { PHRASES } from './table.ts'

/** Whole words only: `timeout` in `timeout-lib` is a name. */
export const COMPILED = PHRASES.map(({ rank, verdict, phrases }) => ({
  rank: RANK[rank],
  verdict,
  pattern: new RegExp(`(?<![\\w-])(?:${phrases.join('|')})(?![\\w-])`, 'i'),
}))

/** A meaning, and the place of its group in the table. */
interface Found {
  readonly meaning: Meaning
  readonly group: number
}

/**
 * The meaning of masked messages: the phrase of the highest rank wins, wherever it stands; among equals, the
 * group that stands first. Null if they contain no known phrase.
 */
export function meaningOfText(maskedMessages: readonly string[]): Meaning | null {
  let best: Found | null = null
  for (const message of maskedMessages) {
    const found = meaningOf(message)
    if (found && (best === null || isBetter(found, best))) best = found
  }
  return best?.meaning ?? null
}

const meaningOf = remember((message): Found | null => {
  let best: Found | null = null
  for (const [group, { rank, verdict, pattern }] of COMPILED.entries()) {
    if (best && rank <= best.meaning.rank) continue
    if (pattern.test(message)) best = { meaning: { verdict, rank }, group }
  }
  return best
})

function isBetter(one: Found, other: Found): boolean {
  const { rank } = one.meaning
  const { rank: least } = other.meaning
  return rank > least || (rank === least && one.group < other.group)
}
