import { ofCharacters } from './characters.ts'
import { ofMarks } from './marks.ts'

/** Rather a little too many than too few. */
const SURPLUS = 1.03

const [FIRST_ACCENT, LAST_ACCENT] = [0xc0, 0x24f]
/** Accents show another language, whose words have more tokens. */
const ACCENTS_IN_ENGLISH = 0.02
const FOREIGN = 1.2

/**
 * Estimates the tokens of a text as the tokenizers of language models count them (o200k and alike), in one pass. A test
 * compares it with a real tokenizer: it is hardly ever lower, and at most 5 % lower.
 */
export function countTokens(text: string): number {
  let [words, others, accents] = [0, 0, 0]
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    const start = at
    do at++
    while (at < text.length && kindAt(text, at) === kind)
    const tokens = COST[kind](text, start, at)
    if (kind === 'word') words += tokens
    else others += tokens
    if (text.charCodeAt(start) >= FIRST_ACCENT && text.charCodeAt(start) <= LAST_ACCENT) accents++
  }
  const isForeign = accents > words * ACCENTS_IN_ENGLISH
  return Math.ceil((others + words * (isForeign ? FOREIGN : 1)) * SURPLUS)
}

type Kind = 'word' | 'space' | 'tabs' | 'lines' | 'marks' | 'other'

/** The tokens of a run of characters of one kind. */
const COST: Readonly<Record<Kind, (text: string, start: number, end: number) => number>> = {
  word: ofWord,
  // A single space belongs to the word behind it.
  space: (_text, start, end) => (end - start === 1 ? 0.05 : 1),
  tabs: () => 1,
  lines: () => 1,
  marks: ofMarks,
  other: ofCharacters,
}

/** So many changes between small letters, capitals and digits make a text a hash or Base64, which has no words. */
const RANDOM_CHANGES = 4
const TOKENS_PER_RANDOM_CHARACTER = 0.8

/** Letters and digits: `headRefName` is three words, `2026` two groups of digits. */
function ofWord(text: string, start: number, end: number): number {
  let tokens = 0
  let changes = 0
  let part = start
  for (let at = start + 1; at <= end; at++) {
    if (at < end && !changesAt(text, at)) continue
    tokens += ofPart(text, part, at - part)
    part = at
    changes++
  }
  const random = changes > RANDOM_CHANGES ? (end - start) * TOKENS_PER_RANDOM_CHARACTER : 0
  return Math.max(tokens, random)
}

/** Common words are one token. Capitals have few words. */
function ofPart(text: string, start: number, length: number): number {
  if (text.charCodeAt(start) <= NINE) return Math.ceil(length / 3)
  const isCapitals = length > 1 && text.charCodeAt(start + 1) <= CAPITAL_Z
  const common = isCapitals ? 3 : 6
  return length <= common ? 1 : 1 + (length - common) / (isCapitals ? 3 : 4.5)
}

const CAPITAL_Z = 90
const NINE = 57

/** Whether a new part begins: at a digit behind a letter, and at a capital behind a small letter. */
function changesAt(text: string, at: number): boolean {
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  if (before <= NINE !== code <= NINE) return true
  return isCapital(code) && !isCapital(before)
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= CAPITAL_Z
}

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII[code] as Kind) : 'other'
}

const ASCII: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z\d]/i.test(character)) return 'word'
  if (character === ' ') return 'space'
  if (character === '\t') return 'tabs'
  return /[\n\r]/.test(character) ? 'lines' : 'marks'
})
