const HIDDEN = '…'

/** Where words that somebody chose stand in a message: quoted, in an address, as a title after a number. */
const CHOSEN: readonly (readonly [RegExp, string])[] = [
  [/"(?:[^"\\]|\\.)*"/g, `"${HIDDEN}"`],
  [/`[^`]*`/g, `\`${HIDDEN}\``],
  // An apostrophe inside a word neither opens nor closes a quotation.
  [/(?<!\w)'(?:[^']|'(?=\w))*'(?!\w)/g, `'${HIDDEN}'`],
  [/[‘“«][^’”»]*[’”»]/g, `"${HIDDEN}"`],
  [/\b[a-z][a-z+.-]*:\/\/[^\s)>\]]*[^\s)>\].,:;]/gi, '<url>'],
  [/(#\d+) \(.*\)(?= (?:is|was|has|can|could|will|does|did)\b)/g, `$1 (${HIDDEN})`],
  [/\b(named|called|titled) \S+/gi, `$1 ${HIDDEN}`],
  // owner/name, kind/name and paths; "i/o" is a word of the tool.
  [/(?<![\w/.-])(?!i\/o\b)[\w.-]+(?:\/[\w.-]+)+(?:#\d+)?/g, `${HIDDEN}/${HIDDEN}`],
]

/**
 * Hides what a user chose, so that a label "rate limit" or a repository "timeout-lib" cannot decide
 * what a failure means. `ownWords` are values of the call's input.
 */
export function maskChosenWords(text: string, ownWords: readonly string[]): string {
  const others = CHOSEN.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text)
  return ownWords.reduce(hideWhole, others)
}

/**
 * Every text in the input that cannot be mistaken for a word of the tool: a state such as `closed`
 * stays visible, since "is already closed" is the tool's.
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
