import { ulid } from 'ulid'
import type { Journal, RequestRecord } from '../../src/journal/journal.ts'
import type { Attempt, Envelope, EnvelopeError, Meta } from '../../src/model/envelope.ts'
import { CODES, type ErrorCode } from '../../src/model/errors.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'

/** Values that queries filter by, some common and some rare. */
export const CAPABILITIES = Array.from({ length: 14 }, (_, n) => `thing.action${n}`)
export const CALLERS = Array.from({ length: 20 }, (_, n) => `caller-${n}`)
const FAILURES: readonly ErrorCode[] = ['NOT_FOUND', 'SERVER', 'RATE_LIMIT', 'TIMEOUT', 'CONFLICT']

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH_SIZE = 1024

/**
 * Writes a day of requests with 2.5 attempts each on average: every second one has one attempt, the others four.
 * @returns the ids of every hundredth request.
 */
export async function fill(journal: Journal, rows: number): Promise<readonly string[]> {
  const began = Date.now() - DAY_MS
  const ids: string[] = []
  for (let n = 0; n < rows; n += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, rows - n)
    const records = Array.from({ length: count }, (_, at) =>
      recordAt(Math.floor(began + ((n + at) / rows) * DAY_MS), n + at),
    )
    await Promise.all(records.map(record => journal.append(record)))
    ids.push(...records.map(record => record.request_id).filter((_, at) => at % 100 === 0))
  }
  return ids
}

export function recordAt(time: number, n: number): RequestRecord {
  const code = n % 20 === 0 ? (FAILURES[skewed(FAILURES.length)] ?? 'SERVER') : null
  const capability_id = CAPABILITIES[skewed(CAPABILITIES.length)] ?? ''
  const request_id = ulid(time)
  const attempts = attemptsOf(n % 2 === 0 ? 1 : 4, code !== null)
  return {
    request_id,
    time,
    caller: CALLERS[skewed(CALLERS.length)] ?? '',
    capability_id,
    upstream: 'github',
    effect: 'read',
    http_status: code === null ? 200 : CODES[code].status,
    plan: { capability_id, candidates: ROUTES.map(planned), skipped: [] },
    envelope: envelopeOf(code, metaOf({ capability_id, request_id, attempts })),
  }
}

function envelopeOf(code: ErrorCode | null, meta: Meta): Envelope {
  return code === null
    ? { ok: true, data: null, error: null, meta }
    : { ok: false, data: null, error: errorOf(code), meta: { ...meta, route_used: null } }
}

function metaOf(own: Pick<Meta, 'capability_id' | 'request_id' | 'attempts'>): Meta {
  const { attempts } = own
  return {
    ...own,
    route_used: attempts.at(-1)?.route ?? null,
    reason: attempts.length > 1 ? 'CARD_FALLBACK' : 'CARD_PREFERRED',
    duration_ms: attempts.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 1),
    warnings: [],
  }
}

function attemptsOf(tries: number, failed: boolean): Attempt[] {
  return Array.from({ length: tries }, (_, at) => attemptOf(at, failed || at < tries - 1))
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
    message: 'The upstream failed.',
    retryable: CODES[code].retryable,
    retry_after_ms: null,
    source: 'upstream',
    write_outcome: null,
    hint_id: CODES[code].hint,
    next: { action: 'give_up' },
    details: {},
  }
}

/** A random index: low ones are common, high ones rare. */
function skewed(length: number): number {
  return Math.floor(length * Math.random() ** 4)
}
