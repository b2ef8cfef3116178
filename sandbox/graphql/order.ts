interface Order<Field extends string> {
  field: Field
  direction: 'ASC' | 'DESC'
}

interface Numbered {
  databaseId: number
}

/** Sorts by the wanted field. Equal values sort by age, in the same direction. */
export function ordered<Item extends Numbered, Field extends string>(
  items: readonly Item[],
  keys: Record<Field, (item: Item) => string | number>,
  order: Order<Field> | null | undefined,
): Item[] {
  if (!order) return [...items]
  const key = keys[order.field]
  const sign = order.direction === 'ASC' ? 1 : -1
  return items.toSorted((a, b) => sign * (compare(key(a), key(b)) || a.databaseId - b.databaseId))
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
