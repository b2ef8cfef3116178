const ELLIPSIS = '…'

/** Words that end in a full stop without ending a sentence. */
const ABBREVIATIONS =
  /(?:^|[\s("'])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|nos|fig|st|dr|mr|mrs|ms|[A-Z])\.$/i

/**
 * At most `max` UTF-16 units, with an ellipsis where something was cut off. Never cuts a code point in
 * half, and mends what was broken before it came here.
 */
export function shorten(text: string, max: number): string {
  const whole = text.toWellFormed()
  if (whole.length <= max) return whole
  if (max < ELLIPSIS.length) return ''
  return `${wholeCodePoints(whole, max - ELLIPSIS.length)}${ELLIPSIS}`
}

/** The longest beginning of at most `max` units that ends between two code points. */
function wholeCodePoints(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  const splitsPair = last >= 0xd8_00 && last <= 0xdb_ff
  return text.slice(0, splitsPair ? max - 1 : max)
}

/** Up to the first full stop, question or exclamation mark that ends a sentence; else the whole text. */
export function firstSentence(text: string): string {
  const trimmed = text.trim()
  for (const { index, 0: marks } of trimmed.matchAll(/[.?!]+(?=\s)/g)) {
    const sentence = trimmed.slice(0, index + marks.length)
    if (!ABBREVIATIONS.test(sentence)) return sentence
  }
  return trimmed
}
