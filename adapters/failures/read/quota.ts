import type { Headers } from '../../../src/model/headers.ts'
import type { QuotaReading } from '../../../src/model/reply.ts'
import { waitOfValue } from '../vocabulary/wait-values.ts'

/** De-facto header families, most common first. */
const FAMILIES = [
  ['x-ratelimit-remaining', 'x-ratelimit-limit', 'x-ratelimit-reset'],
  ['ratelimit-remaining', 'ratelimit-limit', 'ratelimit-reset'],
  ['x-rate-limit-remaining', 'x-rate-limit-limit', 'x-rate-limit-reset'],
  ['x-ratelimit-remaining', 'x-ratelimit-limit', 'x-ratelimit-reset-after'],
] as const

/** Reads the quota from an answer's headers; null when they report none. */
export function readQuota(headers: Headers, now: number): QuotaReading | null {
  for (const [remaining, limit, reset] of FAMILIES) {
    const left = parseCount(headers[remaining])
    const resetAt = headers[reset] === undefined ? null : parseReset(headers[reset], headers, now)
    if (left === null && resetAt === null) continue
    return {
      pool: headers['x-ratelimit-resource']?.slice(0, 100) ?? null,
      limit: parseCount(headers[limit]),
      // Only refusals carry a reset time without a count.
      remaining: left ?? 0,
      resetAt,
    }
  }
  return headers.ratelimit === undefined ? null : readStructured(headers.ratelimit, headers, now)
}

/** Reads the `RateLimit` field of both IETF drafts: `limit=100, remaining=5, reset=30` and `"name";r=5;t=30`. */
function readStructured(value: string, headers: Headers, now: number): QuotaReading | null {
  const policy = tightest(value.slice(0, MAX_VALUE))
  const remaining = /\b(?:remaining|r)\s*=\s*(\d+)/i.exec(policy)?.[1]
  const limit = /\b(?:limit|q)\s*=\s*(\d+)/i.exec(policy)?.[1]
  const reset = /\b(?:reset|t)\s*=\s*(\d+)/i.exec(policy)?.[1]
  if (remaining === undefined) return null
  return {
    pool: /^\s*"([^"]{1,100})/.exec(policy)?.[1] ?? null,
    limit: parseCount(limit),
    remaining: Math.min(Number(remaining), Number.MAX_SAFE_INTEGER),
    resetAt: reset === undefined ? null : parseReset(reset, headers, now),
  }
}

const MAX_VALUE = 1000

/** Chooses the policy that is used up, else the first: `"hour";r=10;t=3000, "burst";r=0;t=4`. */
function tightest(value: string): string {
  const policies = value.split(/,(?=\s*")/)
  return policies.find(policy => /;\s*r\s*=\s*0+\b/.test(policy)) ?? policies[0] ?? value
}

/** The most digits of a number that a double always holds. */
const MOST_DIGITS = 15

function isPlain(text: string): boolean {
  if (text.length === 0 || text.length > MOST_DIGITS) return false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return true
}

/** A count may carry policies, e.g. `100, 100;w=60`: the first number is the current one. */
function parseCount(value: string | undefined): number | null {
  // Nearly all values are plain.
  if (value !== undefined && isPlain(value)) return Number(value)
  const digits = value === undefined ? undefined : /^\s*(\d+)/.exec(value)?.[1]
  // Some services send the largest number there is for no limit.
  return digits === undefined ? null : Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** The local time in epoch milliseconds; null for a time that no quota resets at. */
function parseReset(value: string, headers: Headers, now: number): number | null {
  const wait = waitOfValue(value, null, { now, upstream: upstreamClock(headers, now) })
  return wait === null ? null : now + wait
}

/** The upstream's current time. Comparing its dates with its own clock makes a wrong local clock harmless. */
export function upstreamClock({ date }: Headers, now: number): number {
  if (date === undefined) return now
  // Cached: all answers of the same second have the same Date header.
  if (date !== latest.date) latest = { date, time: Date.parse(date) }
  return Number.isNaN(latest.time) ? now : latest.time
}

let latest = { date: '', time: Number.NaN }
