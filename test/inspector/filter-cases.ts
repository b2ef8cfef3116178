/** Requests of which each filter of the list finds some, with names as ids. */
import type { RequestRecord } from '../../src/journal/journal.ts'
import { FAILED, GRAPHQL, recordOf, SKIPPED, SUCCESS } from '../journal/records.ts'

const MINUTE = 60_000
const NOW = Date.now()
/** The caller of all these requests. */
export const CALLER = 'filters'

const FALLBACK = 'CARD_FALLBACK'
const RETRIED = [
  { ...FAILED, next: 'retry_same', retry: 0 },
  { ...SUCCESS, retry: 1 },
] as const

const MADE = {
  plain: {},
  fell_back: { capability_id: 'issue.list', attempts: [FAILED, GRAPHQL], reason: FALLBACK },
  retried: { attempts: RETRIED, ms: 1500 },
  skipped: { attempts: [SKIPPED, GRAPHQL], reason: FALLBACK },
  lost: {
    capability_id: 'issue.create',
    effect: 'write',
    attempts: [FAILED],
    error: { write_outcome: 'unknown' },
    reason: 'WRITE_OUTCOME_UNKNOWN',
  },
  refused: {
    attempts: [],
    error: { code: 'VALIDATION' },
    reason: 'INPUT_VALIDATION',
    http_status: 400,
  },
  waiting: {
    attempts: [],
    error: { code: 'APPROVAL_REQUIRED' },
    reason: 'APPROVAL_REQUIRED',
    http_status: 403,
  },
  other: {
    capability_id: 'thing.view',
    upstream: 'others',
    correlationId: 'order-1',
    place: { batch_id: 'batch-1', batch_step: 'one' },
  },
  old: { time: NOW - 180 * MINUTE },
} as const

type Name = keyof typeof MADE
const ALL = Object.keys(MADE) as Name[]

/** The newest is the first. */
export const RECORDS: readonly RequestRecord[] = ALL.map((request_id, n) =>
  recordOf({ request_id, caller: CALLER, time: NOW - n * 1000, ...MADE[request_id] }),
)

/** Each filter, a value, and the requests that it finds. */
export const FILTER_CASES: readonly (readonly [name: string, value: string, found: Name[]])[] = [
  ['q', 'issue.l', ['fell_back']],
  ['capability', 'issue.*', ['fell_back', 'lost']],
  ['ok', 'false', ['lost', 'refused', 'waiting']],
  ['code', 'VALIDATION', ['refused']],
  ['reason', FALLBACK, ['fell_back', 'skipped']],
  ['route', 'graphql', ['fell_back', 'skipped']],
  ['status', 'skipped', ['skipped']],
  ['outcome', 'refused', ['refused', 'waiting']],
  ['tried', 'graphql', ['fell_back', 'skipped']],
  ['failed_on', 'rest', ['fell_back', 'retried', 'lost']],
  ['skipped_on', 'cli', ['skipped']],
  ['fell_back', 'true', ['fell_back', 'skipped']],
  ['retried', 'true', ['retried']],
  ['write_outcome', 'unknown', ['lost']],
  ['http_status', '400', ['refused']],
  ['upstream_status', '5xx', ['fell_back', 'retried', 'lost']],
  ['min_duration_ms', '1000', ['retried']],
  ['upstream', 'others', ['other']],
  ['caller', CALLER, ALL],
  ['request_id', 'lost', ['lost']],
  ['correlation_id', 'order-1', ['other']],
  ['batch_id', 'batch-1', ['other']],
  ['since', minuteOf(NOW - 60 * MINUTE), ALL.filter(name => name !== 'old')],
  ['until', minuteOf(NOW - 60 * MINUTE), ['old']],
]

/** Each quick view, and the requests that it finds. */
export const VIEW_CASES: readonly (readonly [name: string, found: Name[]])[] = [
  ['Failed', ['lost', 'refused', 'waiting']],
  ['Fell back', ['fell_back', 'skipped']],
  ['Retried', ['retried']],
  ['Slow', ['retried']],
  ['Unknown writes', ['lost']],
  ['Needed approval', ['waiting']],
]

/** The value of a field for times, when the page shows UTC. */
function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16)
}
