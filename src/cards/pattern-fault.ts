import { shorten } from '../lib/text.ts'

/** A longer text is searched no further: each try matches it again. */
const LONGEST_SEARCHED = 1_000
const MOST_TRIES = 600
const MOST_NAMED = 5
const FEW_WRONG = 3
/** A short pattern of a card's author explains itself. */
const LONGEST_SHOWN = 40
const LONGEST_WORDS = 160

/** A pattern that takes digits only. */
const OF_NUMBERS = /^(?:\\d|[\d^$()|[\]{},?-])+$/

type TextSchema = Readonly<Record<string, unknown>>

/**
 * Says in words why a text does not match the pattern of its schema: looks for the smallest change that makes it match.
 * Continues a sentence that begins with the member.
 */
export function patternFault(text: unknown, schema: TextSchema): string {
  const { pattern } = schema
  if (typeof text !== 'string' || typeof pattern !== 'string') return NO_FORM
  if (text.length > LONGEST_SEARCHED) return formOf(schema, pattern)
  // A number that is too large has neither a wrong digit nor too many.
  if (/^\d+$/.test(text) && OF_NUMBERS.test(pattern)) return formOf(schema, pattern)
  const regex = new RegExp(pattern, 'u')
  let tries = 0
  const fits = (changed: string) => changed !== text && tries++ < MOST_TRIES && regex.test(changed)
  for (const find of [emptiness, ends, segments, characters, length]) {
    const fault = find(text, fits)
    if (fault !== null) return fault
  }
  return formOf(schema, pattern)
}

type Fits = (changed: string) => boolean

function emptiness(text: string): string | null {
  if (text === '') return 'must not be empty'
  return text.trim() === '' ? 'must not consist of spaces only' : null
}

/** Endings that git and others refuse. */
const ENDS = /^(?:\.lock|[^\p{L}\p{N}\p{Cc}])/u

function ends(text: string, fits: Fits): string | null {
  if (fits(text.trim())) return 'must not begin or end with a space'
  const [first = ''] = text
  const last = text.endsWith('.lock') ? '.lock' : (Array.from(text).at(-1) ?? '')
  const begins = ENDS.test(first) && fits(withoutRun(text, first))
  if (begins) return `must not begin with ${shown(first)}`
  return ENDS.test(last) && fits(text.slice(0, -last.length))
    ? `must not end with ${shown(last)}`
    : null
}

function withoutRun(text: string, first: string): string {
  let start = 0
  while (text.startsWith(first, start)) start += first.length
  return text.slice(start)
}

function segments(text: string, fits: Fits): string | null {
  const parts = text.split(/[/\\]/)
  if (parts.length === 1 && text !== '.' && text !== '..') return null
  const bad: readonly string[] = parts.filter(part => part === '' || part === '.' || part === '..')
  const [first] = bad
  const rest = parts.filter(part => !bad.includes(part))
  if (first === undefined || !fits(rest.length === 0 ? 'a' : rest.join('/'))) return null
  return first === '' ? 'must not have an empty segment' : `must not have the segment "${first}"`
}

/** Stand-ins for a wrong character. The empty one leaves it out; a `+` that a caller did not encode arrives as a space. */
const STAND_INS = ['', 'a', '0', '+']

function characters(text: string, fits: Fits): string | null {
  const wrong = wrongCharacters(text, fits)
  if (wrong.length === 0) return null
  const control = wrong.find(character => isControl(character))
  if (control !== undefined) return `must not have the control character ${codeOf(control)}`
  // A text of another kind, such as "yesterday" for a date: its form says more than most of its letters.
  if (wrong.length > FEW_WRONG && wrong.length * 2 > new Set(text).size) return null
  const names = wrong.slice(0, MOST_NAMED).map(shown).join(', ')
  return `must not have ${names}${wrong.length > MOST_NAMED ? ' and others' : ''}`
}

/** The fewest different characters without which the text fits, the unusual ones first. */
function wrongCharacters(text: string, fits: Fits): readonly string[] {
  const all = [...new Set(text)].toSorted((a, b) => usualness(a) - usualness(b))
  const [fewest = []] = STAND_INS.map(standIn => replaced(text, all, standIn, fits))
    .filter(wrong => wrong.length > 0)
    .toSorted((a, b) => a.length - b.length)
  return fewest
}

/** The characters of a text in place of which a stand-in makes it fit; none if it never does. */
function replaced(
  text: string,
  all: readonly string[],
  standIn: string,
  fits: Fits,
): readonly string[] {
  const without = (some: readonly string[]) =>
    Array.from(text, character => (some.includes(character) ? standIn : character)).join('')
  const alone = all.find(character => fits(without([character])))
  if (alone !== undefined && (standIn !== '' || all.length > 1)) return [alone]
  const count = all.findIndex((_, index) => fits(without(all.slice(0, index + 1))))
  if (count === -1 || (standIn === '' && count === all.length - 1)) return []
  let wrong = all.slice(0, count + 1)
  for (const character of wrong) {
    const fewer = wrong.filter(other => other !== character)
    if (fewer.length > 0 && fits(without(fewer))) wrong = fewer
  }
  return wrong
}

/** Letters and digits are seldom what is wrong. */
function usualness(character: string): number {
  if (isControl(character)) return 0
  if (/[a-z]/.test(character)) return 5
  if (/[0-9]/.test(character)) return 4
  if (/[A-Z]/.test(character)) return 3
  return /[\p{L}\p{N}]/u.test(character) ? 2 : 1
}

const LONGEST_CUT = 200
const LONGEST_PADDED = 200

function length(text: string, fits: Fits): string | null {
  if (text.length > LONGEST_CUT) return null
  for (let size = text.length - 1; size > 0; size--) {
    const cut = text.slice(0, size)
    if (fits(cut)) return mayGrow(cut, fits) ? null : `must have at most ${size} characters`
  }
  for (let size = text.length + 1; size <= LONGEST_PADDED; size++) {
    const padded = text.padEnd(size, text)
    if (fits(padded))
      return mayShrink(padded, fits) ? null : `must have at least ${size} characters`
  }
  return null
}

/** Whether a text that fits would also fit with one of its characters twice: then its length is not what was wrong. */
function mayGrow(text: string, fits: Fits): boolean {
  return indexesOf(text).some(index => fits(text.slice(0, index + 1) + text.slice(index)))
}

/** Whether a text that fits would also fit without one of its characters. */
function mayShrink(text: string, fits: Fits): boolean {
  return indexesOf(text).some(index => fits(text.slice(0, index) + text.slice(index + 1)))
}

function indexesOf(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => index)
}

const NO_FORM = 'does not have the form that its schema declares'

/** The author's own words, or the pattern if it is short. */
function formOf({ examples, description }: TextSchema, pattern: string): string {
  const [example] = Array.isArray(examples) ? examples : []
  if (typeof example === 'string') return `must have a form such as "${shorten(example, 100)}"`
  if (typeof description === 'string') {
    return `does not have the right form: ${shorten(description.replace(/\.$/, ''), LONGEST_WORDS)}`
  }
  return pattern.length <= LONGEST_SHOWN ? `must match pattern "${pattern}"` : NO_FORM
}

function isControl(character: string): boolean {
  return /\p{Cc}/u.test(character)
}

function shown(character: string): string {
  if (character === ' ') return 'a space'
  return /^[\s\p{C}]/u.test(character) ? codeOf(character) : `"${character}"`
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `U+${code}`
}
