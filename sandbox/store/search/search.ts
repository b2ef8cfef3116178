import { contains, parseQuery, type Query, type Sort } from './query.ts'

/** GitHub gives no more than these, however many there are. */
export const MOST_RESULTS = 1000

/** How one kind of thing is searched for. */
export interface Searchable<Item> {
  /** The texts that words are looked for in, by the name that `in:` has for them. */
  readonly texts: Readonly<Record<string, (item: Item) => string>>
  readonly qualifiers: Readonly<Record<string, (item: Item, value: string) => boolean>>
  /** Qualifiers that GitHub has beside these. To take them for words would find nothing, and be wrong. */
  readonly notModelled: readonly string[]
  readonly orders: Readonly<Record<string, (item: Item) => string | number>>
  /** What stands for "best match" here: the order when none is asked for. */
  readonly bestMatch: (a: Item, b: Item) => number
}

export interface Found<Item> {
  readonly total: number
  /** The first thousand. */
  readonly items: Item[]
}

/** Several of these widen a search; of all others, each narrows it. */
const SCOPES: ReadonlySet<string> = new Set(['repo', 'user', 'org'])

/**
 * What matches a search text. Both APIs find with it: REST names the order in parameters of its own,
 * GraphQL in the text, as REST may too.
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

/** Whether a search names anything to look for beside qualifiers. */
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
  return items.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)]
    if (left === right) return bestMatch(a, b)
    return left < right ? -sign : sign
  })
}
