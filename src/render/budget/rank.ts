import { ExpressionError } from '../../expressions/expression.ts'
import type { Expression } from '../../model/expression.ts'

/** Sorts items by the card's sort key, highest first. Items of equal rank keep their order. */
export function rankItems(items: readonly unknown[], rank: Expression | null): readonly unknown[] {
  if (!rank) return items
  const keyed = items.map(item => ({ item, key: keyOf(item, rank) }))
  return keyed.toSorted((a, b) => compare(b.key, a.key)).map(({ item }) => item)
}

/** Null for an item without a usable key: it comes last. */
function keyOf(item: unknown, rank: Expression): number | string | null {
  try {
    const key = rank(item as Readonly<Record<string, unknown>>)
    return typeof key === 'number' || typeof key === 'string' ? key : null
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

function compare(a: number | string | null, b: number | string | null): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}
