import type { Exchange } from './exchange.ts'
import type { LogRow } from './log.ts'
import type { Answer } from './rest/call.ts'
import { type Principal, type Quota, type QuotaName, remaining } from './store/tokens.ts'

const DOCS = 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api'
const SECONDARY_WAIT_S = 60

/**
 * Charges one request to its quota. Returns GitHub's refusal if the quota is used up, or if a fault
 * simulates a rate limit.
 */
export function chargeQuota(exchange: Exchange, principal: Principal): Answer | undefined {
  const { row, store } = exchange
  const quota = store.tokens.current(principal.quotas[quotaNameOf(row)])
  exchange.quota = quota
  const limit = row.fault && 'rate_limit' in row.fault ? row.fault.rate_limit : undefined
  if (limit === 'secondary') return secondaryLimit()
  if (limit === 'primary') {
    // The copy leaves the real quota unchanged: only this answer claims that it is used up.
    exchange.quota = { ...quota, used: quota.limit }
    return primaryLimit(row.route, principal)
  }
  if (row.path === '/rate_limit') return undefined
  if (remaining(quota) === 0) return primaryLimit(row.route, principal)
  quota.used += 1
  return undefined
}

export function rateLimitHeaders(quota: Quota): Record<string, string> {
  return {
    'x-ratelimit-limit': String(quota.limit),
    'x-ratelimit-remaining': String(remaining(quota)),
    'x-ratelimit-reset': String(Math.ceil(quota.resetAt / 1000)),
    'x-ratelimit-used': String(Math.min(quota.used, quota.limit)),
    'x-ratelimit-resource': quota.name,
  }
}

/** REST, search and GraphQL have separate quotas. */
function quotaNameOf({ route, path }: LogRow): QuotaName {
  if (route === 'graphql') return 'graphql'
  if (path === '/search/code') return 'code_search'
  return path.startsWith('/search/') ? 'search' : 'core'
}

/** The quota is used up. GraphQL reports this in a 200, so clients must read the body. */
function primaryLimit(route: LogRow['route'], { user }: Principal): Answer {
  const message = `API rate limit exceeded for user ID ${user.databaseId}.`
  if (route === 'graphql') {
    return { status: 200, body: { errors: [{ type: 'RATE_LIMITED', message }] } }
  }
  return { status: 403, body: { message, documentation_url: DOCS, status: '403' } }
}

/** Too many requests at a time, independent of the quota. Both APIs give the same answer. */
function secondaryLimit(): Answer {
  const body = {
    message:
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    documentation_url: `${DOCS}#about-secondary-rate-limits`,
    status: '403',
  }
  return { status: 403, body, headers: { 'retry-after': String(SECONDARY_WAIT_S) } }
}
