import { isObject } from '../../../src/lib/is-object.ts'
import type { Failure } from '../../../src/model/failure.ts'
import type { Headers } from '../../../src/model/headers.ts'
import { readQuota, upstreamClock } from './quota.ts'

export interface Wait {
  readonly ms: number
  readonly source: NonNullable<Failure['retryAfterSource']>
}

/** The wait that the upstream asks for, in `Retry-After` or else in the body; null when it asks for none. */
export function announcedWait(headers: Headers, body: unknown, now: number): Wait | null {
  const header = retryAfterMs(headers, now)
  if (header !== null) return { ms: header, source: 'header' }
  const seconds = waitInBody(body)
  return seconds === null ? null : { ms: seconds * 1000, source: 'body' }
}

/** The time until the quota in the headers resets. */
export function waitForReset(headers: Headers, now: number): Wait | null {
  const resetAt = readQuota(headers, now)?.resetAt ?? null
  return resetAt === null ? null : { ms: Math.max(0, resetAt - now), source: 'reset' }
}

/** RFC 9110 §10.2.3: seconds, or a date, which is compared with the upstream's own clock. */
function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers['retry-after']?.trim()
  if (!value) return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse is lenient: it would take `-5` for a date.
  if (!/\d\d:\d\d/.test(value)) return null
  // The oldest of the three HTTP date formats names no zone, but means GMT.
  const date = Date.parse(/\b(GMT|UTC|Z|[+-]\d{4})$/i.test(value) ? value : `${value} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, date - upstreamClock(headers, now))
}

/** Members that hold a wait, with the length of their unit in seconds. */
const WAIT_MEMBERS: Readonly<Record<string, number>> = {
  retryAfterSeconds: 1,
  retry_after_seconds: 1,
  retry_after: 1,
  retryAfter: 1,
  'retry-after': 1,
  retryDelay: 1,
  retry_after_ms: 0.001,
  retryAfterMs: 0.001,
  retry_in_ms: 0.001,
}
/** Members under which there may be one of those. */
const WAIT_PARENTS = ['error', 'errors', 'details', 'parameters', 'extensions', 'data', 'meta']
const MAX_DEPTH = 4

function waitInBody(value: unknown, depth = 0): number | null {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return firstWait(value.slice(0, 10), depth)
  if (!isObject(value)) return null
  for (const [name, unit] of Object.entries(WAIT_MEMBERS)) {
    const seconds = Object.hasOwn(value, name) ? parseSeconds(value[name]) : null
    if (seconds !== null) return seconds * unit
  }
  return firstWait(
    WAIT_PARENTS.filter(name => Object.hasOwn(value, name)).map(name => value[name]),
    depth,
  )
}

function firstWait(values: readonly unknown[], depth: number): number | null {
  for (const value of values) {
    const seconds = waitInBody(value, depth + 1)
    if (seconds !== null) return seconds
  }
  return null
}

/** Parses a number, or a text such as `3` or `3.5s`. */
function parseSeconds(value: unknown): number | null {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? value : null
  const [, digits] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?)s?$/.exec(value) ?? []) : []
  return digits === undefined ? null : Number(digits)
}
