import { compareKeys } from '../order.ts'
import { contains, parseQuery, type Query, type Sort } from './query.ts'

/** GitHub returns no more results than this. */
export const MOST_RESULTS = 1000

/** How to search one kind of object. */
export interface Searchable<Item> {
  /** The texts to search for words, by their name in `in:`. */
  readonly texts: Readonly<Record<string, (item: Item) => string>>
  readonly qualifiers: Readonly<Record<string, (item: Item, value: string) => boolean>>
  /** Other qualifiers of GitHub. They are refused: treating them as words would give wrong results. */
  readonly notModelled: readonly string[]
  readonly orders: Readonly<Record<string, (item: Item) => string | number>>
  /** The default order, which stands in for GitHub's "best match". */
  readonly bestMatch: (a: Item, b: Item) => number
}

export interface Found<Item> {
  readonly total: number
  /** At most `MOST_RESULTS`. */
  readonly items: Item[]
}

/** Several of these qualifiers are combined with OR. All other qualifiers must match. */
const SCOPES: ReadonlySet<string> = new Set(['repo', 'user', 'org'])

/**
 * Finds the objects that match a search text, for both APIs. `sort` holds REST's sort parameters and
 * overrides an order in the text.
 */
export function search<Item>(
  candidates: readonly Item[],
  text: string,
  searchable: Searchable<Item>,
  sort?: Sort,
): Found<Item> {
  const query = queryOf(text, searchable)
  const found = candidates.filter(item => matches(item, query, searchable))
  const ordered = inOrder(found, sort ?? query.sort, searchable)
  return { total: found.length, items: ordered.slice(0, MOST_RESULTS) }
}

/** Whether a search text has words, not only qualifiers. */
export function hasWords(text: string, searchable: Searchable<never>): boolean {
  return queryOf(text, searchable).words.length > 0
}

export function queryOf<Item>(text: string, { qualifiers, notModelled }: Searchable<Item>): Query {
  const query = parseQuery(text, new Set([...Object.keys(qualifiers), ...notModelled]))
  const other = query.qualifiers.find(({ name }) => notModelled.includes(name))
  if (other) throw new Error(`sandbox: searching by ${other.name} is not modelled`)
  return query
}

function matches<Item>(item: Item, query: Query, { texts, qualifiers }: Searchable<Item>): boolean {
  const holds = (name: string, value: string) => qualifiers[name]?.(item, value) ?? false
  const scopes = query.qualifiers.filter(({ name, isNegated }) => SCOPES.has(name) && !isNegated)
  const others = query.qualifiers.filter(qualifier => !scopes.includes(qualifier))
  const places = Object.entries(texts).filter(
    ([name]) => query.places.length === 0 || query.places.includes(name),
  )
  return (
    (scopes.length === 0 || scopes.some(({ name, text }) => holds(name, text))) &&
    others.every(({ name, text, isNegated }) => holds(name, text) !== isNegated) &&
    query.words.every(
      ({ text, isNegated }) =>
        places.some(([, textOf]) => contains(textOf(item), text)) !== isNegated,
    )
  )
}

function inOrder<Item>(
  items: readonly Item[],
  sort: Sort | null,
  { orders, bestMatch }: Searchable<Item>,
): Item[] {
  const key = sort && orders[sort.by]
  if (!key) return items.toSorted(bestMatch)
  const sign = sort.direction === 'asc' ? 1 : -1
  return items.toSorted((a, b) => sign * compareKeys(key(a), key(b)) || bestMatch(a, b))
}
