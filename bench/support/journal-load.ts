import { ulid } from 'ulid'
import type { Journal, RequestRecord } from '../../src/journal/journal.ts'
import type { Attempt, Envelope, EnvelopeError } from '../../src/model/envelope.ts'
import { CODES, type ErrorCode } from '../../src/model/errors.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'

/** What a query can ask for: common and rare values of each. */
export const CAPABILITIES = Array.from({ length: 14 }, (_, n) => `thing.action${n}`)
export const CALLERS = Array.from({ length: 20 }, (_, n) => `caller-${n}`)
const FAILURES: readonly ErrorCode[] = ['NOT_FOUND', 'SERVER', 'RATE_LIMIT', 'TIMEOUT', 'CONFLICT']

const DAY_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 1024

/** Records a day of requests, 2.5 attempts each: half succeed at once, the others try two, four or more. */
export async function fill(journal: Journal, rows: number): Promise<readonly string[]> {
  const began = Date.now() - DAY_MS
  const ids: string[] = []
  for (let n = 0; n < rows; n += AT_ONCE) {
    const count = Math.min(AT_ONCE, rows - n)
    const records = Array.from({ length: count }, (_, at) =>
      recordAt(Math.floor(began + ((n + at) / rows) * DAY_MS), n + at),
    )
    await Promise.all(records.map(record => journal.append(record)))
    ids.push(...records.map(record => record.request_id).filter((_, at) => at % 100 === 0))
  }
  return ids
}

export function recordAt(time: number, n: number): RequestRecord {
  const failed = n % 20 === 0
  // 1, 4, 1, 4: two and a half on average.
  const tries = n % 2 === 0 ? 1 : 4
  const capability_id = CAPABILITIES[skewed(CAPABILITIES.length)] ?? ''
  const attempts = Array.from({ length: tries }, (_, at) => attemptOf(at, failed || at < tries - 1))
  const last = attempts.at(-1)
  const request_id = ulid(time)
  const meta = {
    capability_id,
    request_id,
    route_used: failed ? null : (last?.route ?? null),
    reason: tries > 1 ? ('CARD_FALLBACK' as const) : ('CARD_PREFERRED' as const),
    attempts,
    duration_ms: attempts.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 1),
    warnings: [],
  }
  const code = FAILURES[skewed(FAILURES.length)] ?? 'SERVER'
  const envelope: Envelope = failed
    ? { ok: false, data: null, error: errorOf(code), meta }
    : { ok: true, data: null, error: null, meta }
  return {
    request_id,
    time,
    caller: CALLERS[skewed(CALLERS.length)] ?? '',
    capability_id,
    upstream: 'github',
    effect: 'read',
    http_status: failed ? CODES[code].status : 200,
    plan: { capability_id, candidates: ROUTES.map(planned), skipped: [] },
    envelope,
  }
}

function attemptOf(at: number, failed: boolean): Attempt {
  const route = ROUTES[at % ROUTES.length] ?? 'rest'
  const duration_ms = Math.round(200 * Math.random() ** 3 * 10) / 10
  const timing = { duration_ms, started_ms: at * 50, retry: 0, upstream_status: failed ? 503 : 200 }
  return failed
    ? { route, status: 'error', error_code: 'SERVER', ...timing, next: 'next_route' }
    : { route, status: 'success', ...timing }
}

function planned(route: Route, at: number) {
  return { route, reason: at === 0 ? ('CARD_PREFERRED' as const) : ('CARD_FALLBACK' as const) }
}

function errorOf(code: ErrorCode): EnvelopeError {
  return {
    code,
    message: 'The upstream said so.',
    retryable: CODES[code].retryable,
    retry_after_ms: null,
    source: 'upstream',
    write_outcome: null,
    hint_id: CODES[code].hint,
    next: { action: 'give_up' },
    details: {},
  }
}

/** Low numbers often, the highest once in some ten thousand. */
function skewed(length: number): number {
  return Math.floor(length * Math.random() ** 4)
}
