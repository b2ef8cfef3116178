/** The indexes by which conditions find their rows. */
import { ATTEMPT_STATUSES, type Reason } from '../../model/reasons.ts'
import type { RequestOutcome } from '../../model/request-outcome.ts'
import { ROUTES } from '../../model/route.ts'
import type { Dialect, WordsWithin } from './dialect.ts'
import {
  durationClassesFrom,
  durationClassSql,
  OF_SOLE,
  outcomeSql,
  requestClassSql,
  resultSql,
} from './indexed.ts'
import type { Search, Source } from './search.ts'

/** Rows that have one of these texts in a column. */
export function ofColumn(
  table: Search['table'],
  name: string,
  values: readonly string[],
  index = `${table}_by_${name}`,
): Source {
  return { table, index, column: `${table}.${name}`, type: 'text', values }
}

export function ofCapabilities(table: Search['table'], ids: readonly string[]): Source {
  return ofColumn(table, 'capability_id', ids, `${table}_by_capability`)
}

type IndexedOutcome = RequestOutcome | 'sole'

/** Requests that succeeded on the first try. */
export const FIRST_TRY: readonly IndexedOutcome[] = ['first_try', 'sole']
export const OK: readonly IndexedOutcome[] = ['later_try', ...FIRST_TRY]
export const FAILED: readonly IndexedOutcome[] = ['failed', 'refused']

export const OUTCOMES = 'requests_by_outcome'

export function ofOutcomes(values: readonly IndexedOutcome[]): Source {
  const column = outcomeSql('requests.')
  return { table: 'requests', index: OUTCOMES, column, type: 'text', values }
}

/** The partial indexes of failures, which few requests are. */
const OF_FAILURES = { caller: 'requests_by_failed_caller', route_used: 'requests_by_failed_route' }

/** Requests that failed and have this value. */
export function ofFailures(name: keyof typeof OF_FAILURES, value: string): Source {
  return { ...ofColumn('requests', name, [value], OF_FAILURES[name]), where: FAILURES_ONLY[name] }
}

/** The conditions of these indexes. A failure that reached no route is in none by route. */
const FAILURES_ONLY = {
  caller: 'requests.ok = 0',
  route_used: 'requests.ok = 0 AND requests.route_used IS NOT NULL',
}

/** Attempts with this status, on any route. */
export function ofStatus(status: string): Source {
  return ofResults(ROUTES.map(route => `${route} ${status}`))
}

/** Attempts on this route, with any of these statuses. */
export function ofRoute(route: string, statuses: readonly string[] = ATTEMPT_STATUSES): Source {
  return ofResults(statuses.map(status => `${route} ${status}`))
}

function ofResults(values: readonly string[]): Source {
  const column = resultSql('attempts.')
  return { table: 'attempts', index: 'attempts_by_result', column, type: 'text', values }
}

/** Requests that took at least this long, and those of the same class that took less. */
export function ofRequestDurations(ms: number): Source {
  const classes = durationClassesFrom(ms)
  return { ...ofSoleDurations(ms), values: classes.flatMap(name => [name, name + OF_SOLE]) }
}

/** The same for requests that have no row of their only attempt. */
export function ofSoleDurations(ms: number): Source {
  return {
    table: 'requests',
    index: 'requests_by_duration',
    column: requestClassSql('requests.'),
    type: 'text',
    values: durationClassesFrom(ms).map(name => name + OF_SOLE),
  }
}

/** The same for attempts. Those that were skipped have no duration. */
export function ofAttemptDurations(ms: number): Source {
  return {
    table: 'attempts',
    index: 'attempts_by_duration',
    column: durationClassSql('attempts.'),
    where: 'attempts.duration_ms IS NOT NULL',
    type: 'text',
    values: durationClassesFrom(ms),
  }
}

/** Most requests have this reason. The index of reasons is for the others. */
const USUAL: Reason = 'CARD_PREFERRED'

export function ofReason(reason: string): Source | null {
  const column = 'requests.reason'
  const where = `${column} <> '${USUAL}'`
  const index = 'requests_by_reason'
  return reason === USUAL
    ? null
    : { table: 'requests', index, column, where, type: 'text', values: [reason] }
}

export function ofUpstreamStatuses(values: readonly number[]): Source {
  return {
    table: 'attempts',
    index: 'attempts_by_upstream_status',
    column: 'attempts.upstream_status',
    type: 'integer',
    values,
  }
}

/** Requests that were answered with one of these statuses, except 200. */
export function ofHttpStatuses(statuses: readonly number[]): Source {
  const column = 'requests.http_status'
  return {
    table: 'requests',
    index: 'requests_by_http_status',
    column,
    where: `${column} <> 200`,
    type: 'integer',
    values: statuses.filter(status => status !== 200),
  }
}

/** Requests of a trace. */
export function ofTrace({ traceId }: Dialect, id: string): Source {
  return {
    table: 'request_details',
    index: 'details_by_trace',
    column: traceId,
    type: 'text',
    values: [id],
  }
}

/** Requests that ran by this approval, wait for it, or were refused by it. */
export function ofApproval(id: string): Source {
  return {
    table: 'request_details',
    index: 'details_by_approval',
    column: 'request_details.approval_id',
    type: 'text',
    values: [id],
  }
}

/** Requests with the Idempotency-Key of this hash. */
export function ofKeyHash(hash: string): Source {
  return {
    table: 'request_details',
    index: 'details_by_key_hash',
    column: 'request_details.key_hash',
    type: 'text',
    values: [hash],
  }
}

/** Requests that have all these words. */
export function ofWords(dialect: Dialect, words: readonly string[], within: WordsWithin): Source {
  const { column, operator } = dialect.words
  const values = [dialect.words.query(words, within)]
  return { table: 'request_texts', index: null, column, operator, type: 'text', values }
}
