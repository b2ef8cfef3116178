/** The conditions of the list of requests. */
import { SOLE } from '../columns.ts'
import { CUT_OFF } from '../cut-off.ts'
import type { JournalFilter } from '../journal.ts'
import { keyHashOf } from '../key-hash.ts'
import { overviewConditions } from '../overview-filters.ts'
import { NO_CAPABILITY, oneOf } from './capabilities.ts'
import { by, check, given } from './condition.ts'
import type { Dialect, WordsWithin } from './dialect.ts'
import { beginsClass } from './indexed.ts'
import { hasRetry } from './retried.ts'
import type { Condition, Search, Source, Sql } from './search.ts'
import {
  FAILED,
  FIRST_TRY,
  OK,
  ofApproval,
  ofCapabilities,
  ofColumn,
  ofFailures,
  ofHttpStatuses,
  ofKeyHash,
  ofOutcomes,
  ofReason,
  ofRequestDurations,
  ofStatus,
  ofTrace,
  ofUpstreamStatuses,
  ofWords,
} from './sources.ts'
import { includesStatus, statusRange } from './status-range.ts'
import { wordsOf } from './words.ts'

/** Values that filters stand for, see `capabilities.ts` and `statuses.ts`. */
export interface Resolved {
  /** Capabilities that match the filter `capability`, if that is a pattern. */
  readonly capability?: readonly string[]
  /** Capabilities that the upstream has or had. */
  readonly upstream?: readonly string[]
  /** Capabilities that match `q`. */
  readonly q?: readonly string[]
  /** Statuses of a class that rows have. */
  readonly http_status?: readonly number[]
  readonly upstream_status?: readonly number[]
}

export function requestConditions(
  dialect: Dialect,
  filter: JournalFilter,
  resolved: Resolved,
): Condition[] {
  return [
    ...equalities(filter),
    ...(resolved.capability ? [oneOf('requests', dialect, resolved.capability)] : []),
    ...given(filter.fell_back, fellBack),
    ...given(filter.http_status, status => hasHttpStatus(status, resolved.http_status)),
    ...given(filter.min_duration_ms, requestLasted),
    ...given(filter.upstream, upstream => ofUpstream('requests', upstream, resolved.upstream)),
    ...attemptFacts(dialect, filter, resolved),
    ...overviewConditions(filter),
    ...given(filter.keys, keys => anyKey(dialect, keys)),
    ...given(filter.q, q => asked(dialect, q, resolved.q ?? [], filter.q_within)),
  ]
}

/** Filters that hold for a request if they hold for any attempt that it made itself. */
function attemptFacts(dialect: Dialect, filter: JournalFilter, resolved: Resolved): Condition[] {
  return [
    ...given(filter.status, status =>
      status === 'success'
        ? {
            ...check(`(requests.plain = ${SOLE} OR ${anyAttempt('status = ?')})`, status),
            sources: [ofOutcomes(FIRST_TRY), ofStatus(status)],
          }
        : by(check(anyAttempt('status = ?'), status), [ofStatus(status)]),
    ),
    ...given(filter.reason, hasReason),
    ...given(filter.upstream_status, status =>
      hadUpstreamStatus(dialect, status, resolved.upstream_status),
    ),
    ...given(filter.retried, hasRetry),
  ]
}

function hasReason(reason: string): Condition {
  const text = `(requests.reason = ? OR ${anyAttempt('reason = ?')})`
  const own = ofReason(reason)
  if (own === null) return check(text, reason, reason)
  return by(check(text, reason, reason), [own, ofColumn('attempts', 'reason', [reason])])
}

/** An attempt with another status than 200 has a row, see `isSole` in rows.ts. */
function hadUpstreamStatus(
  dialect: Dialect,
  status: string,
  found: readonly number[] = [Number(status)],
): Condition {
  const [from, to] = statusRange(status)
  const any = check(anyAttempt('upstream_status BETWEEN ? AND ?'), from, to)
  if (!includesStatus(status, 200)) return by(any, [ofUpstreamStatuses(found)])
  const sole = `requests.plain = ${SOLE} AND ${dialect.soleNumber('upstream_status')} BETWEEN ? AND ?`
  return {
    ...check(`(${sole} OR ${any.text})`, from, to, from, to),
    sources: [ofOutcomes(FIRST_TRY), ofUpstreamStatuses(found)],
  }
}

function hasHttpStatus(status: string, found: readonly number[] = [Number(status)]): Condition {
  const successes = includesStatus(status, 200) ? [ofOutcomes(OK)] : []
  const sources = [...successes, ofHttpStatuses(found)]
  const condition = check('requests.http_status BETWEEN ? AND ?', ...statusRange(status))
  return { ...condition, sources, exact: successes.length === 0 }
}

/** The index does not distinguish a request without a duration from one that took no time. */
function requestLasted(ms: number): Condition {
  const found = lasted(ms, ofRequestDurations(ms))
  return ms > 0 ? found : { ...found, text: `${found.text} AND ${CUT_OFF} IS NOT TRUE` }
}

/** Took this long or longer. */
export function lasted(ms: number, source: Source): Condition {
  const found = check(`${source.table}.duration_ms >= ?`, ms)
  return { ...found, sources: [source], exact: beginsClass(ms) }
}

function anyAttempt(condition: string): string {
  return `EXISTS (SELECT 1 FROM attempts WHERE attempts.key = requests.key AND attempts.${condition})`
}

/** Filters by columns that have an index. */
function equalities(filter: JournalFilter): Condition[] {
  const pattern = filter.capability?.includes('*')
  const isFailed = onlyFailures(filter)
  return [
    ...given(filter.caller, isFailed ? failedWith('caller') : equal('caller')),
    ...(pattern ? [] : given(filter.capability, ofCapability)),
    ...given(filter.code, equal('code')),
    ...given(
      filter.route,
      isFailed ? failedWith('route_used') : equal('route_used', 'requests_by_route'),
    ),
    ...given(filter.write_outcome, equal('write_outcome')),
    ...(isFailed && hasFailedWith(filter) ? [] : given(filter.ok, isOk)),
    ...given(filter.request_id, equal('request_id', 'requests_by_id')),
    ...given(filter.correlation_id, equal('correlation_id', 'requests_by_correlation')),
    ...given(filter.batch_id, equal('batch_id', 'requests_by_batch')),
  ]
}

function isOk(ok: boolean): Condition {
  return by(check('requests.ok = ?', Number(ok)), [ofOutcomes(ok ? OK : FAILED)])
}

/** Whether all requests of the filter failed. */
export function onlyFailures({ ok, outcome }: JournalFilter): boolean {
  return ok === false || outcome === 'failed' || outcome === 'refused'
}

/** Together with one of these, the failure needs no condition of its own. */
function hasFailedWith({ caller, route }: JournalFilter): boolean {
  return caller !== undefined || route !== undefined
}

function failedWith(name: 'caller' | 'route_used'): (value: string) => Condition {
  return value => {
    const source = ofFailures(name, value)
    return by(check(`requests.${name} = ? AND requests.ok = 0`, value), [source])
  }
}

function ofCapability(id: string): Condition {
  return id === NO_CAPABILITY
    ? // Such a request always failed.
      { ...check('requests.capability_id IS NULL'), sources: [ofOutcomes(FAILED)] }
    : equal('capability_id', 'requests_by_capability')(id)
}

function equal(name: string, index = `requests_by_${name}`): (value: string) => Condition {
  return value =>
    by(check(`requests.${name} = ?`, value), [ofColumn('requests', name, [value], index)])
}

/** As `fallbacks` of the statistics counts. */
function fellBack(wanted: boolean): Condition {
  const source = ofReason('CARD_FALLBACK')
  return wanted && source
    ? by(check("requests.reason = 'CARD_FALLBACK'"), [source])
    : check("coalesce(requests.reason, '') <> 'CARD_FALLBACK'")
}

export function ofUpstream(
  table: Search['table'],
  upstream: string,
  capabilities: readonly string[] = [],
): Condition {
  return {
    text: `(SELECT upstream FROM request_details WHERE request_details.key = ${table}.key) = ?`,
    values: [upstream],
    sources: [ofCapabilities(table, capabilities)],
  }
}

function anyKey({ texts }: Dialect, keys: readonly number[]): Condition {
  return {
    text: `CAST(requests.key AS text) IN ${texts}`,
    values: [JSON.stringify(keys.map(String))],
    sources: [
      { table: 'requests', index: null, column: 'requests.key', type: 'bigint', values: keys },
    ],
    exact: true,
  }
}

/**
 * A request has the text as one of its ids, has all its words in its texts, or is a call of a capability whose name has
 * it.
 */
function asked(
  dialect: Dialect,
  q: string,
  capabilities: readonly string[],
  within: WordsWithin = 'all',
): Condition {
  const words = wordsOf(q)
  const id = q.trim()
  const sources = [
    ofColumn('requests', 'request_id', [id.toUpperCase(), q], 'requests_by_id'),
    ofColumn('requests', 'correlation_id', [id], 'requests_by_correlation'),
    ofColumn('requests', 'batch_id', [id.toUpperCase(), q], 'requests_by_batch'),
    ofTrace(dialect, id.toLowerCase()),
    ofApproval(id.toUpperCase()),
    ofKeyHash(id.toLowerCase()),
    ofKeyHash(keyHashOf(id)),
    ...(capabilities.length === 0 ? [] : [ofCapabilities('requests', capabilities)]),
    ...(words.length === 0 ? [] : [ofWords(dialect, words, within)]),
  ]
  const parts = sources.map(source => hasOne(dialect, source))
  const text = `(${parts.map(part => part.text).join(' OR ')})`
  return by(check(text, ...parts.flatMap(({ values }) => values)), sources)
}

function hasOne({ texts }: Dialect, { table, column, operator, values }: Source): Sql {
  if (table === 'requests')
    return { text: `${column} IN ${texts}`, values: [JSON.stringify(values)] }
  const found = `SELECT 1 FROM ${table} WHERE ${column} ${operator ?? '='} ? AND ${table}.key = requests.key`
  return { text: `EXISTS (${found})`, values }
}
