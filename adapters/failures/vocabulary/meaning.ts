import type { Verdict } from '../verdict.ts'

/**
 * How much a word says. `frame`: only that something failed, like gRPC's UNKNOWN and INTERNAL. `general`: as much as a
 * status does. `specific`: a reason. `exact`: a code that a specification defines.
 */
export const RANK = { frame: 0, general: 100, specific: 200, exact: 300 } as const
export type RankName = keyof typeof RANK

/** The meaning of a code, and how specific it is: the highest rank wins, whatever the order of the codes. */
export interface Meaning {
  readonly verdict: Verdict
  readonly rank: number
}

export function mostSpecific(meanings: readonly (Meaning | null)[]): Meaning | null {
  return meanings.reduce(
    (best, next) => (next && next.rank > (best?.rank ?? -1) ? next : best),
    null,
  )
}

/** A closed vocabulary: words of one specification, by their verdict. */
export type WordList = readonly (readonly [Verdict, RankName, string])[]

/** Looks words up in any spelling: `notFound`, `NOT_FOUND` and `not-found` are one word. */
export function toDictionary(lists: readonly WordList[]): ReadonlyMap<string, Meaning> {
  return new Map(
    lists.flat().flatMap(([verdict, rank, words]) =>
      words
        .trim()
        .split(/\s+/)
        .map(word => [foldSpelling(word), { verdict, rank: RANK[rank] }] as const),
    ),
  )
}

/** Drops case and separators. */
export function foldSpelling(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '')
}
