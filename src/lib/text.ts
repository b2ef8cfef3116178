const ELLIPSIS = '…'

/** Words that end in a full stop without ending a sentence. */
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|nos|fig|st|dr|mr|mrs|ms|[A-Z])\.$/i

/** Longer than an abbreviation with the character before it. */
const LONGEST = 12

/**
 * Cuts a text to at most `max` UTF-16 units, and marks the cut with an ellipsis. Never splits a code point, and
 * replaces lone surrogates.
 */
export function shorten(text: string, max: number): string {
  const whole = text.toWellFormed()
  if (whole.length <= max) return whole
  if (max < ELLIPSIS.length) return ''
  return `${wholeCodePoints(whole, max - ELLIPSIS.length)}${ELLIPSIS}`
}

/** The longest prefix of at most `max` units that ends between two code points. */
function wholeCodePoints(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  const splitsPair = last >= 0xd8_00 && last <= 0xdb_ff
  return text.slice(0, splitsPair ? max - 1 : max)
}

/** The first sentence of a text, or the whole text if it has no end of a sentence. */
export function firstSentence(text: string): string {
  const trimmed = text.trim()
  for (const { index, 0: marks } of trimmed.matchAll(/(?<![.?!])[.?!]+(?=\s)/g)) {
    const sentence = trimmed.slice(0, index + marks.length)
    if (!ABBREVIATIONS.test(sentence.slice(-LONGEST))) return sentence
  }
  return trimmed
}

/** Turns line breaks and other runs of white space into single spaces. */
export function oneLine(text: string): string {
  // Most white space is one space already; leave it alone.
  return text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim()
}

/** `1 problem`, `2 problems`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `Use one of a, b, or add it.`; only `Add it.` when there are none to use. */
export function useOneOf(names: readonly string[], otherwise: string): string {
  if (names.length > 0) return `Use one of ${names.join(', ')}, or ${otherwise}.`
  return `${otherwise.charAt(0).toUpperCase()}${otherwise.slice(1)}.`
}
