/**
 * One segment of the path of a call: a literal word, a value for a parameter (null), a word that only a
 * lookup returns (WORD), or a segment of either kind (ANY).
 */
export type Segment = string | null | typeof WORD | typeof ANY
export const WORD: unique symbol = Symbol('word')
export const ANY: unique symbol = Symbol('any')

/** Parameters at the end of a path whose values may contain slashes. */
const OPEN_ENDED = ['{path}', '{ref}']

/** Scores how well a call fits a described path: 2 for each equal word. Null when it is another path. */
export function matchScore(
  described: readonly string[],
  segments: readonly Segment[],
): number | null {
  const takesMany = takesManySegments(described, segments)
  if (segments.length !== described.length && !takesMany) return null
  // With an unknown word every other word must agree, or a misspelt path would match another endpoint.
  const isStrict = segments.includes(WORD)
  let score = takesMany ? -1 : 0
  for (const [index, own] of described.entries()) {
    const points = segmentScore(own, segments[index], isStrict)
    if (points === null) return null
    score += points
  }
  return score
}

function takesManySegments(described: readonly string[], segments: readonly Segment[]): boolean {
  return (
    !segments.includes(WORD) &&
    segments.length > described.length &&
    OPEN_ENDED.includes(described.at(-1) ?? '')
  )
}

function segmentScore(
  described: string,
  given: Segment | undefined,
  isStrict: boolean,
): number | null {
  const isParameter = described.startsWith('{')
  if (isParameter) return isStrict && typeof given === 'string' ? null : 0
  if (given === ANY || given === WORD) return 0
  return given === described ? 2 : null
}
