import { sortedBy } from '../store/order.ts'

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
  const direction = order.direction === 'ASC' ? 'asc' : 'desc'
  return sortedBy(items, keys[order.field], direction, ({ databaseId }) => databaseId)
}
