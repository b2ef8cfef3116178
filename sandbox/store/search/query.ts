import { compareKeys } from '../order.ts'
import type { Principal } from '../tokens.ts'

/** A parsed search text. */
export interface Query {
  readonly words: readonly Term[]
  readonly qualifiers: readonly (Term & { readonly name: string })[]
  /** The texts to search for words, from `in:`. Empty means all. */
  readonly places: readonly string[]
  readonly sort: Sort | null
}

export interface Term {
  readonly text: string
  readonly isNegated: boolean
}

export interface Sort {
  readonly by: string
  readonly direction: 'asc' | 'desc'
}

/** Parses words, `"quoted words"` and `qualifier:value`. A leading `-` negates each of them. */
export function parseQuery(text: string, known: ReadonlySet<string>): Query {
  const words: Term[] = []
  const qualifiers: (Term & { name: string })[] = []
  const places: string[] = []
  let sort: Sort | null = null
  for (const [whole, minus, label, quoted, word] of text.matchAll(TERM)) {
    const name = label?.toLowerCase()
    const value = quoted ?? word ?? ''
    const isNegated = minus !== undefined
    if (name === 'in') places.push(...value.toLowerCase().split(','))
    else if (name === 'sort') sort = parseSort(value)
    else if (name !== undefined && known.has(name))
      qualifiers.push({ name, text: value, isNegated })
    // An unknown qualifier is a word, including its colon.
    else words.push({ text: name ? whole.replace(/^-/, '') : value, isNegated })
  }
  return { words, qualifiers, places, sort }
}

const TERM = /(-)?(?:([a-z]+(?:-[a-z]+)*):)?(?:"([^"]*)"|(\S+))/gi

/** Replaces `@me` with the caller's login where a qualifier takes a login. */
export function naming(text: string, { user }: Pick<Principal, 'user'>): string {
  return text.replaceAll(/(?<=:)@me(?=\s|$)/gi, user.login)
}

/** Parses `created-asc`, `created-desc` or `created`. The default is descending. */
function parseSort(value: string): Sort {
  const [, by = value, direction] = /^(.*?)(?:-(asc|desc))?$/.exec(value.toLowerCase()) ?? []
  return { by, direction: direction === 'asc' ? 'asc' : 'desc' }
}

/** Whether a number or time matches `7`, `>7`, `<=7`, `7..9` or `*..9`. A date covers the whole day. */
export function isInRange(value: string | number, wanted: string): boolean {
  const [, operator = '', bound = wanted] = /^([<>]=?)(.*)$/.exec(wanted) ?? []
  const [from, to] = bound.split('..', 2)
  if (to !== undefined) {
    return (from === '*' || compare(value, from) >= 0) && (to === '*' || compare(value, to) <= 0)
  }
  return RANGES[operator as keyof typeof RANGES](compare(value, bound))
}

const RANGES = {
  '': (order: number) => order === 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
}

function compare(value: string | number, bound = ''): number {
  if (typeof value === 'number') return compareKeys(value, Number(bound))
  return compareKeys(value.slice(0, bound.length), bound)
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

export function contains(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase())
}
