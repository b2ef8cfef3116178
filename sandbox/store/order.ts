type Key = string | number

/** Compares two sort keys. Strings compare by their code units, not by locale. */
export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Sorts by a key in one direction. `tie` orders equal keys, in the same direction. */
export function sortedBy<Item>(
  items: readonly Item[],
  key: (item: Item) => Key,
  direction: 'asc' | 'desc',
  tie: (item: Item) => number,
): Item[] {
  const sign = direction === 'asc' ? 1 : -1
  return items.toSorted((a, b) => sign * (compareKeys(key(a), key(b)) || tie(a) - tie(b)))
}

interface Dated {
  readonly createdAt: string
  readonly databaseId: number
}

/** Newest first. Objects of the same second sort by id. */
export function newestFirst<Item extends Dated>(items: readonly Item[]): Item[] {
  return items.toSorted(compareNewest)
}

export function compareNewest(a: Dated, b: Dated): number {
  return compareKeys(b.createdAt, a.createdAt) || b.databaseId - a.databaseId
}
