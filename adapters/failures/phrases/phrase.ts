import type { Verdict } from '../verdict.ts'
import type { RankName } from '../vocabulary/meaning.ts'

/** Phrases with one meaning. Each is a regular expression for whole words in a masked line, in any case. */
export interface PhraseGroup {
  /** The programs or libraries that print these phrases. */
  readonly source: string
  readonly rank: RankName
  readonly verdict: Verdict
  readonly phrases: readonly string[]
}
