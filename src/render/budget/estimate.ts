/**
 * Estimates the tokens of a text as the tokenizers of language models count them (o200k and alike), in one pass. A test
 * compares it with a real tokenizer: it is hardly ever lower, and at most 5 % lower.
 */
export function countTokens(text: string): number {
  let tokens = 0
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    const start = at
    do at++
    while (at < text.length && kindAt(text, at) === kind)
    tokens += kind === 'word' ? ofWord(text, start, at) : COST[kind](at - start)
  }
  return Math.ceil(tokens)
}

type Kind = 'word' | 'space' | 'lines' | 'marks' | 'accented' | 'letters' | 'wide' | 'pictures'

/** The tokens of a run of characters of one kind, by its length in UTF-16 units. */
const COST: Readonly<Record<Exclude<Kind, 'word'>, (length: number) => number>> = {
  // A single space belongs to the word behind it.
  space: length => (length === 1 ? 0.05 : 1),
  lines: () => 1,
  // Marks of JSON come in groups that are one token.
  marks: length => 0.75 + length / 5,
  accented: length => length * 0.5,
  letters: length => length / 2.5,
  wide: length => length * 0.75,
  pictures: length => length * 1.2,
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
    tokens += ofPart(text.charCodeAt(part), at - part)
    part = at
    changes++
  }
  const random = changes > RANDOM_CHANGES ? (end - start) * TOKENS_PER_RANDOM_CHARACTER : 0
  return Math.max(tokens, random)
}

/** Common words are one token. */
function ofPart(first: number, length: number): number {
  if (first <= NINE) return Math.ceil(length / 3)
  return length <= 6 ? 1 : 1 + (length - 6) / 6
}

const NINE = 57

/** Whether a new part begins: at a digit behind a letter, and at a capital behind a small letter. */
function changesAt(text: string, at: number): boolean {
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  if (before <= NINE !== code <= NINE) return true
  return code >= 65 && code <= 90 && !(before >= 65 && before <= 90)
}

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII[code] as Kind) : kindBeyondAscii(code)
}

const ASCII: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z\d]/i.test(character)) return 'word'
  if (character === ' ') return 'space'
  return /[\n\r\t]/.test(character) ? 'lines' : 'marks'
})

function kindBeyondAscii(code: number): Kind {
  if (code < 0x250) return 'accented'
  if (code >= 0xd800 && code <= 0xdfff) return 'pictures'
  // Scripts whose characters are words or syllables.
  return code >= 0x2e80 ? 'wide' : 'letters'
}
