import { ExpressionError } from '../expressions/expression.ts'
import { isObject } from '../lib/is-object.ts'
import type { Expression } from '../model/expression.ts'
import type { QuotaReading } from '../model/reply.ts'

type Report = QuotaReading & { readonly pool: string }

/** Reads the list that `quotas` of a card gives. Skips items without a pool or a count. */
export function readReport(
  quotas: Expression | null,
  seen: Readonly<Record<string, unknown>>,
): readonly Report[] {
  try {
    const list = quotas?.(seen)
    return Array.isArray(list) ? list.flatMap(readItem) : []
  } catch (error) {
    // The call has its data, whatever becomes of the report.
    if (error instanceof ExpressionError) return []
    throw error
  }
}

function readItem(item: unknown): readonly Report[] {
  if (!isObject(item)) return []
  const { pool, limit, remaining, resetAt } = item
  if (typeof pool !== 'string' || typeof remaining !== 'number') return []
  const time = typeof resetAt === 'string' ? Date.parse(resetAt) : Number.NaN
  return [
    {
      pool,
      limit: typeof limit === 'number' ? limit : null,
      remaining,
      resetAt: Number.isNaN(time) ? null : time,
    },
  ]
}
