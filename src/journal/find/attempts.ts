/** The conditions of the list of attempts: of those that have a row, and of those of `SOLE` requests, which have none. */
import { BEFORE_OTHER_ROUTES } from '../../model/fell-back.ts'
import { SOLE } from '../columns.ts'
import type { JournalFilter } from '../journal.ts'
import { oneOf } from './capabilities.ts'
import { by, check, given } from './condition.ts'
import { lasted, ofUpstream, onlyFailures, type Resolved, requestConditions } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { wasRetried } from './retried.ts'
import type { Condition, Source } from './search.ts'
import {
  OUTCOMES,
  ofAttemptDurations,
  ofColumn,
  ofOutcomes,
  ofRoute,
  ofSoleDurations,
  ofStatus,
  ofUpstreamStatuses,
} from './sources.ts'
import { includesStatus, statusRange } from './status-range.ts'

export function attemptConditions(
  dialect: Dialect,
  filter: JournalFilter,
  resolved: Resolved,
): Condition[] {
  const pattern = filter.capability?.includes('*')
  return [
    ...(isByFailure(filter) ? [] : given(filter.caller, equal('caller'))),
    ...(pattern ? [] : given(filter.capability, equal('capability_id', 'attempts_by_capability'))),
    ...(resolved.capability ? [oneOf('attempts', dialect, resolved.capability)] : []),
    ...given(filter.code, equal('code')),
    ...results(filter),
    ...given(filter.reason, equal('reason')),
    ...given(filter.upstream_status, status =>
      by(check('attempts.upstream_status BETWEEN ? AND ?', ...statusRange(status)), [
        ofUpstreamStatuses(resolved.upstream_status ?? [Number(status)]),
      ]),
    ),
    ...given(filter.min_duration_ms, ms => lasted(ms, ofAttemptDurations(ms))),
    ...given(filter.upstream, upstream => ofUpstream('attempts', upstream, resolved.upstream)),
    ...given(filter.retried, wasRetried),
    ...given(filter.moved_on, movedOn),
    ...given(filter.purpose, purpose =>
      check(`attempts.purpose IS ${purpose === 'verify' ? 'NOT NULL' : 'NULL'}`),
    ),
    ...requestConditions(dialect, ofRequestsOnly(filter), ofRequest(resolved)).map(onRequest),
  ]
}

/** Filters that are about the request of an attempt. */
function ofRequestsOnly(filter: JournalFilter): JournalFilter {
  const { request_id, batch_id, correlation_id, q, q_within } = filter
  const { write_outcome, http_status, fell_back, outcome } = filter
  const { caller } = isByFailure(filter) ? filter : {}
  const names = { request_id, batch_id, correlation_id, q, q_within }
  return { ...names, caller, write_outcome, http_status, fell_back, outcome } as JournalFilter
}

/** An attempt has the caller of its request, and failures have an index by caller. */
function isByFailure({ outcome }: JournalFilter): boolean {
  return onlyFailures({ outcome } as JournalFilter)
}

/** An attempt that checks on a write is a call of another capability. */
function ofRequest({ http_status, q }: Resolved): Resolved {
  return { ...(http_status && { http_status }), ...(q && { q }) }
}

/** The same condition for the attempts of a request. */
function onRequest({ text, sources, ...condition }: Condition): Condition {
  return {
    ...condition,
    text: `EXISTS (SELECT 1 FROM requests WHERE requests.key = attempts.key AND ${text})`,
    sources: sources.map(withoutSole),
  }
}

/** Most requests are `SOLE`, and those have no rows of attempts: to read them would find nothing. */
function withoutSole(source: Source): Source {
  return source.index === OUTCOMES
    ? { ...source, values: source.values.filter(value => value !== 'sole') }
    : source
}

/** The SQL of `fellBack()`. The attempts that were made stand in the order of time. */
function movedOn(wanted: boolean): Condition {
  const later = `SELECT later.route FROM attempts AS later WHERE later.key = attempts.key AND later.position > attempts.position
    AND later.status <> 'skipped' AND coalesce(later.purpose, '') = coalesce(attempts.purpose, '')
    ORDER BY later.position LIMIT 1`
  const moved = `attempts.next IN (${LEADING_ON}) AND (${later}) <> attempts.route`
  // Only after failures does the gateway decide.
  return wanted
    ? { ...check(`(${moved})`), sources: [ofStatus('error')] }
    : check(`(${moved}) IS NOT TRUE`)
}

const LEADING_ON = BEFORE_OTHER_ROUTES.map(decision => `'${decision}'`).join(', ')

/** The route and the status have one index, so that both together are a range of it. */
function results({ route, ok, status }: JournalFilter): Condition[] {
  const byOk = ok === undefined ? undefined : ok ? 'success' : 'error'
  const [first = byOk, second] = status === undefined ? [] : [status, byOk]
  const ofSecond = given(second, one => by(check('attempts.status = ?', one), [ofStatus(one)]))
  if (route === undefined) {
    return [
      ...given(first, one => by(check('attempts.status = ?', one), [ofStatus(one)])),
      ...ofSecond,
    ]
  }
  if (first === undefined) return [by(check('attempts.route = ?', route), [ofRoute(route)])]
  const both = check('attempts.route = ? AND attempts.status = ?', route, first)
  return [by(both, [ofRoute(route, [first])]), ...ofSecond]
}

function equal(name: string, index?: string): (value: string) => Condition {
  return value =>
    by(check(`attempts.${name} = ?`, value), [ofColumn('attempts', name, [value], index)])
}

/** Null if no attempt of a `SOLE` request can pass: all of them succeeded, with status 200 or none. */
export function soleConditions(
  dialect: Dialect,
  filter: JournalFilter,
  resolved: Resolved,
): Condition[] | null {
  const { caller, capability, route, upstream } = filter
  if (!mayBeSole(filter)) return null
  const ofRequest = { ...ofRequestsOnly(filter), caller, capability, route, upstream }
  return [
    ...requestConditions(dialect, ofRequest as JournalFilter, resolved),
    ...given(filter.upstream_status, asked =>
      check(`${dialect.soleNumber('upstream_status')} BETWEEN ? AND ?`, ...statusRange(asked)),
    ),
    // An attempt takes no longer than its request.
    ...given(filter.min_duration_ms, ms => ({
      ...check(`${dialect.soleNumber('duration_ms')} >= ?`, ms),
      sources: [ofSoleDurations(ms)],
    })),
    // The last one, because most requests are such.
    by(check(`requests.plain = ${SOLE}`), [ofOutcomes(['sole'])]),
  ]
}

function mayBeSole(filter: JournalFilter): boolean {
  const { ok, code, status = 'success', reason, retried, upstream_status: asked } = filter
  if (ok === false || status !== 'success' || retried === true || hasMore(filter)) return false
  if (code !== undefined || reason !== undefined || !isOfSuccesses(filter)) return false
  return asked === undefined || includesStatus(asked, 200)
}

/** Whether the attempt had another after it, or before it. */
function hasMore({ moved_on, purpose }: JournalFilter): boolean {
  return moved_on === true || purpose === 'verify'
}

/** Whether a request that succeeded on the first try can pass. */
function isOfSuccesses({ outcome, write_outcome, http_status }: JournalFilter): boolean {
  if (write_outcome !== undefined) return false
  if (outcome !== undefined && outcome !== 'first_try') return false
  return http_status === undefined || includesStatus(http_status, 200)
}
