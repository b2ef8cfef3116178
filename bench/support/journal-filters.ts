/** Filters of the journal's lists, over a load of `variedRecordAt`: common values, rare ones and some that no row has. */
import type { JournalFilter } from '../../src/journal/journal.ts'
import { CALLERS, CAPABILITIES } from './journal-load.ts'
import { APART, RARE } from './journal-variety.ts'

const COMMON = CAPABILITIES[0] ?? ''
const SELDOM = CAPABILITIES.at(-1) ?? ''
const CALLER = CALLERS[0] ?? ''
const SELDOM_CALLER = CALLERS.at(-1) ?? ''

/** Filters that both lists have. */
const BOTH: readonly JournalFilter[] = [
  {},
  { ok: false },
  { ok: true },
  { code: 'NOT_FOUND' },
  { code: 'CONFLICT' },
  { capability: COMMON },
  { capability: SELDOM },
  { capability: 'thing.*' },
  { capability: 'project.*' },
  { caller: SELDOM_CALLER },
  { caller: 'nobody' },
  { route: 'cli' },
  { status: 'success' },
  { status: 'error' },
  { status: 'skipped' },
  { reason: 'NO_CREDENTIAL' },
  { reason: 'RECOVERED' },
  { upstream_status: '5xx' },
  { upstream_status: '2xx' },
  { upstream_status: RARE.upstreamStatus },
  { upstream_status: RARE.soleStatus },
  { upstream_status: '404' },
  { min_duration_ms: 100 },
  { min_duration_ms: RARE.slowMs },
  { min_duration_ms: 2 * RARE.slowMs },
  { upstream: 'github' },
  { upstream: RARE.upstream },
  APART,
  { caller: CALLER, ok: false },
  { caller: SELDOM_CALLER, ok: true },
  { capability: SELDOM, code: 'CONFLICT' },
  { caller: APART.caller, upstream_status: '503' },
  { capability: 'thing.*', caller: CALLER, min_duration_ms: 100 },
]

export const FILTERS: readonly JournalFilter[] = [
  ...BOTH,
  { reason: 'CARD_PREFERRED' },
  { reason: RARE.reason },
  { write_outcome: 'unknown' },
  { http_status: '2xx' },
  { http_status: '5xx' },
  { http_status: '504' },
  { http_status: '418' },
  { retried: true },
  { retried: false },
  { fell_back: true },
  { fell_back: false },
  { outcome: 'first_try' },
  { outcome: 'later_try' },
  { outcome: 'failed' },
  { outcome: 'refused' },
  { tried: 'cli' },
  { failed_on: 'cli' },
  { skipped_on: 'rest' },
  { skipped_on: 'cli' },
  { batch_id: RARE.batch },
  { correlation_id: RARE.correlation },
]

export const COMBINATIONS: readonly JournalFilter[] = [
  { q: 'failed upstream' },
  { q: 'nothing-there' },
  { q: 'upstream', caller: APART.caller },
  { route: 'rest', ok: false },
  { capability: 'thing.*', status: 'error', min_duration_ms: 200 },
  { caller: APART.caller, fell_back: true },
  { caller: APART.caller, retried: true },
  { capability: APART.capability, http_status: '5xx' },
  { upstream: 'github', ok: false, min_duration_ms: 100 },
  { outcome: 'later_try', route: 'cli', caller: APART.caller },
  { write_outcome: 'unknown', capability: COMMON },
]

/** Filters of attempts that find their requests. */
const BY_REQUEST: readonly JournalFilter[] = [
  { write_outcome: 'unknown' },
  { http_status: '2xx' },
  { http_status: '5xx' },
  { http_status: '418' },
  { fell_back: true },
  { fell_back: false },
  { outcome: 'first_try' },
  { outcome: 'later_try' },
  { outcome: 'failed' },
  { batch_id: RARE.batch },
  { correlation_id: RARE.correlation },
  { request_id: 'nothing-there' },
  { q: 'failed upstream' },
  { q: 'nothing-there' },
  { outcome: 'failed', caller: APART.caller },
  { http_status: '5xx', route: 'cli', ok: false },
]

export const OF_ATTEMPTS: readonly JournalFilter[] = [
  ...BOTH,
  { retried: true },
  { retried: false },
  ...BY_REQUEST,
]
