import { isObject } from '../../src/lib/is-object.ts'
import type { QuotaReading } from '../../src/model/reply.ts'
import type { Wait } from '../failures/vocabulary/waits.ts'

/** Reads GitHub's `rateLimit { limit remaining resetAt }`; null if the document did not ask for it. */
export function quotaInData(data: unknown): QuotaReading | null {
  const limit = isObject(data) && isObject(data.rateLimit) ? data.rateLimit : null
  if (!limit || typeof limit.remaining !== 'number') return null
  const resetAt = typeof limit.resetAt === 'string' ? Date.parse(limit.resetAt) : Number.NaN
  return {
    pool: null,
    limit: typeof limit.limit === 'number' ? limit.limit : null,
    remaining: limit.remaining,
    resetAt: Number.isNaN(resetAt) ? null : resetAt,
  }
}

/** Computes the wait from Shopify's leaky bucket in `extensions.cost`, which refills at a fixed rate. */
export function waitForPoints(extensions: unknown): Wait | null {
  const cost = isObject(extensions) && isObject(extensions.cost) ? extensions.cost : {}
  const status = isObject(cost.throttleStatus) ? cost.throttleStatus : {}
  const missing = Number(cost.requestedQueryCost) - Number(status.currentlyAvailable)
  const seconds = missing / Number(status.restoreRate)
  if (!Number.isFinite(seconds)) return null
  return { ms: Math.max(0, Math.ceil(seconds)) * 1000, source: 'body' }
}
