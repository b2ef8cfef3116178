import { once } from '../../lib/late.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

/** The Chinese characters that are one token. Others are two. */
const COMMON_HAN = new Set(vocabulary.han)

/** Tokens for each UTF-16 unit below the code, measured on names of countries, languages and months in that script. */
const SCRIPTS: readonly (readonly [below: number, tokens: number])[] = [
  [0x2b0, 0.9], // Latin
  [0x370, 1.3], // combining marks
  [0x400, 0.6], // Greek
  [0x530, 0.48], // Cyrillic
  [0x590, 0.52], // Armenian
  [0x600, 0.55], // Hebrew
  [0x780, 0.58], // Arabic
  [0x900, 2],
  [0x980, 0.57], // Devanagari
  [0xa00, 0.58], // Bengali
  [0xa80, 0.77], // Gurmukhi
  [0xb00, 0.6], // Gujarati
  [0xb80, 1.12], // Odia
  [0xd80, 0.62], // Tamil, Telugu, Kannada, Malayalam
  [0xe00, 0.71], // Sinhala
  [0xe80, 0.56], // Thai
  [0xf00, 2], // Lao
  [0x1000, 1.55], // Tibetan
  [0x10a0, 0.73], // Burmese
  [0x1100, 0.52], // Georgian
  [0x1200, 3], // Hangul in parts
  [0x1380, 2.25], // Ethiopic
  [0x1780, 3],
  [0x1800, 0.75], // Khmer
  [0x1e00, 3],
  [0x2000, 0.7], // Latin of Vietnamese, Greek of old
  [0x2800, 1.2], // punctuation, arrows, mathematics, boxes
  [0x2900, 3], // Braille
  [0x2e80, 1.5],
  [0x3000, 3],
  [0x3040, 1], // punctuation of Chinese and Japanese
  [0x3130, 0.9], // kana
  [0x3400, 2],
  [0x4e00, 3],
  [0xa000, 2], // Chinese, but for common characters
  [0xac00, 3],
  [0xd7b0, 0.95], // Hangul
  [0xd83c, 2],
  [0xd840, 1.05], // pictures
  [0xf900, 2],
  [0xff00, 3],
]
const FULL_WIDTH = 1
const COMMON = 0.95
const RARE = 2.1

/** The tokens of a run of characters beyond ASCII. */
export function ofCharacters(text: string, start: number, end: number): number {
  let tokens = 0
  for (let at = start; at < end; at++) tokens += ofCharacter(text, at)
  return tokens
}

function ofCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 0x4e00 && code < 0xa000) return COMMON_HAN.has(text.charAt(at)) ? COMMON : RARE
  return table()[code >> 4] ?? FULL_WIDTH
}

/** By sixteen codes each. Made for the first text beyond ASCII: a start needs none. */
const table = once(() =>
  Array.from(
    { length: 0x1000 },
    (_, row) => SCRIPTS.find(([below]) => row << 4 < below)?.[1] ?? FULL_WIDTH,
  ),
)
