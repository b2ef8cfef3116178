import { remember } from '../../../src/lib/remember.ts'

const HIDDEN = '…'

/** Longer texts of an input are not looked for in messages, and neither are more than this many. */
const MAX_WORD = 1000
const MAX_WORDS = 200

/** Places in a message that hold words a user chose: quotations, URLs, a title after a number. */
const CHOSEN: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  // logfmt, and a quotation that is all of an error: these are the program's own sentences.
  [
    /\b(msg|message|err|error|reason|cause|desc|detail)(?:=|: )"((?:[^"\\]|\\[^]){1,500})"(?=$|[\s,;)])/g,
    '$1: $2',
  ],
  [/\b(\w{1,60}(?:Error|Exception))\((?:\d{1,5}, )?'([^']{1,300})'/g, '$1: $2 '],
  // The status of an answer, as Guzzle quotes it.
  [/\bresulted in a `(\d{3} [A-Z][A-Za-z -]{1,40})`/g, 'resulted in a $1'],
  // A quotation that never ends reaches to the end of the text, so that no second search for its end begins.
  [/"(?:[^"\\]|\\[^])*(?:"|\\?$)/g, ifClosed('"', `"${HIDDEN}"`)],
  [/`[^`]*`/g, `\`${HIDDEN}\``],
  // An apostrophe inside a word does not open or close a quotation.
  [/(?<!\w)'(?:[^']|'(?=\w))*(?:'|$)/g, ifClosed("'", `'${HIDDEN}'`)],
  [/[‘“«][^’”»]*(?:[’”»]|$)/g, ifClosed('’”»', `"${HIDDEN}"`)],
  [/\b[a-z][a-z+.-]{0,20}:\/\/[^\s)>\]]*[^\s)>\].,:;]/gi, '<url>'],
  // Hosts and files: labels in lower case, the last of letters only.
  [/(?<![\w./@-])[a-z0-9](?:[a-z0-9-]*\.)+[a-z]{2,24}(?![\w.-]|\()/g, '<name>'],
  [/(#\d+) \(.{0,400}\)(?= (?:is|was|has|can|could|will|does|did)\b)/g, `$1 (${HIDDEN})`],
  [/\b(named|called|titled|namespace:) (?!not |is |does |can|has |must )\S+/gi, `$1 ${HIDDEN}`],
  // The name of the thing: `No such container: timeout`.
  [
    /\b((?:no such|unknown|invalid) \w{2,30}|not found|already exists): [\w./-]{1,200}(?=\s*$|[.,;)])/gim,
    `$1: ${HIDDEN}`,
  ],
  // owner/name, kind/name and paths. Not "i/o", which is the tool's own word.
  [/(?<![\w/.-])(?!i\/o\b)[\w.-]+(?:\/[\w.-]+)+(?:#\d+)?/g, `${HIDDEN}/${HIDDEN}`],
]

/**
 * Hides words that a user chose, so that a label "rate limit" or a repository "timeout-lib" cannot
 * decide what a failure means.
 * @param inputWords the texts of the call's input, from `wordsOf`
 */
export function maskChosenWords(text: string, inputWords: readonly string[]): string {
  return inputWords.reduce(hideWhole, maskPlaces(text))
}

const maskPlaces = remember(text =>
  // The cast picks one of the two overloads; each takes what it gets.
  CHOSEN.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask as string), text),
)

/**
 * Every text in the input, except those that could also be a word of the tool: a state such as `closed`
 * stays visible, because "is already closed" comes from the tool.
 */
export function wordsOf(input: unknown): string[] {
  const words = new Set<string>()
  collectWords(input, words)
  return [...words]
}

function collectWords(input: unknown, words: Set<string>): void {
  if (words.size >= MAX_WORDS) return
  if (typeof input === 'string') {
    const text = input.length <= MAX_WORD ? input.trim() : ''
    if (text.length >= 3 && !/^[A-Za-z]+$/.test(text)) words.add(text)
  } else if (input !== null && typeof input === 'object') {
    for (const member of Object.values(input)) collectWords(member, words)
  }
}

/** Searches without a RegExp: compiling one for each word of an input takes longer than the search. */
function hideWhole(text: string, word: string): string {
  let masked = ''
  let kept = 0
  for (let at = text.indexOf(word); at !== -1; ) {
    const end = at + word.length
    const isWhole = !isWordPart(text[at - 1]) && !isWordPart(text[end])
    if (isWhole) {
      masked += text.slice(kept, at) + HIDDEN
      kept = end
    }
    at = text.indexOf(word, isWhole ? end : at + 1)
  }
  return masked + text.slice(kept)
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character)
}

/** Masks a match that ends with a closing mark, and leaves one that the end of the text cut off. */
function ifClosed(marks: string, mask: string): (match: string) => string {
  return match => (match.length > 1 && marks.includes(match.at(-1) ?? '') ? mask : match)
}
