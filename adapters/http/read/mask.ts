const HIDDEN = '…'

/** Places in a message that hold words a user chose: quotations, URLs, a title after a number. */
const CHOSEN: readonly (readonly [RegExp, string])[] = [
  [/"(?:[^"\\]|\\.)*"/g, `"${HIDDEN}"`],
  [/`[^`]*`/g, `\`${HIDDEN}\``],
  // An apostrophe inside a word does not open or close a quotation.
  [/(?<!\w)'(?:[^']|'(?=\w))*'(?!\w)/g, `'${HIDDEN}'`],
  [/[‘“«][^’”»]*[’”»]/g, `"${HIDDEN}"`],
  [/\b[a-z][a-z+.-]*:\/\/[^\s)>\]]*[^\s)>\].,:;]/gi, '<url>'],
  [/(#\d+) \(.*\)(?= (?:is|was|has|can|could|will|does|did)\b)/g, `$1 (${HIDDEN})`],
  [/\b(named|called|titled) \S+/gi, `$1 ${HIDDEN}`],
  // owner/name, kind/name and paths. Not "i/o", which is the tool's own word.
  [/(?<![\w/.-])(?!i\/o\b)[\w.-]+(?:\/[\w.-]+)+(?:#\d+)?/g, `${HIDDEN}/${HIDDEN}`],
]

/**
 * Hides words that a user chose, so that a label "rate limit" or a repository "timeout-lib" cannot
 * decide what a failure means.
 * @param inputWords the texts of the call's input, from `wordsOf`
 */
export function maskChosenWords(text: string, inputWords: readonly string[]): string {
  const others = CHOSEN.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text)
  return inputWords.reduce(hideWhole, others)
}

/**
 * Every text in the input, except those that could also be a word of the tool: a state such as `closed`
 * stays visible, because "is already closed" comes from the tool.
 */
export function wordsOf(input: unknown): string[] {
  if (typeof input === 'string') {
    const text = input.trim()
    return text.length >= 3 && text.length <= 1000 && !/^[A-Za-z]+$/.test(text) ? [text] : []
  }
  if (input === null || typeof input !== 'object') return []
  return Object.values(input).flatMap(wordsOf)
}

function hideWhole(text: string, word: string): string {
  const pattern = new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`, 'g')
  return text.replace(pattern, HIDDEN)
}
