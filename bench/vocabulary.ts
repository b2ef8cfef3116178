/**
 * Writes src/render/budget/vocabulary.json: what the estimate of tokens needs to know of the vocabulary o200k.
 *
 *   node bench/vocabulary.ts
 */
import { writeFileSync } from 'node:fs'
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'

const SIZE = 199_998
/** Longer groups of marks are rare, but for repeated ones, which are told by their length. */
const LONGEST_MARKS = 4

const words = Array.from({ length: SIZE }, (_, token) => decode([token]))
const isMarks = (word: string) =>
  word.length > 1 && word.length <= LONGEST_MARKS && /^[!-/:-@[-`{-~]+$/.test(word)
const marks = words.filter(isMarks).toSorted()

const [FIRST_HAN, LAST_HAN] = [0x4e00, 0x9fff]
const han = Array.from({ length: LAST_HAN - FIRST_HAN + 1 }, (_, n) =>
  String.fromCharCode(FIRST_HAN + n),
).filter(character => encode(character).length === 1)

const vocabulary = { marks: marks.join(' '), han: han.join('') }
writeFileSync(
  new URL('../src/render/budget/vocabulary.json', import.meta.url),
  `${JSON.stringify(vocabulary, null, 2)}\n`,
)
