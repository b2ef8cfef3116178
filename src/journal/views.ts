/** Turns stored rows into what readers get. The inverse of rows.ts, and as independent of the database. */

import { parseJson } from '../lib/exact-json.ts'
import { type AnswerFrom, answerFromReason } from '../model/answer-from.ts'
import type { AskedOptions } from '../model/asked-options.ts'
import { countAttempts } from '../model/count-attempts.ts'
import type { Attempt, Envelope } from '../model/envelope.ts'
import type { Trace } from '../model/trace.ts'
import { toStep } from '../model/trace.ts'
import type {
  AttemptColumns,
  DetailColumns,
  Keyed,
  ListedColumns,
  RequestColumns,
  Written,
} from './columns.ts'
import { wasCutOff } from './cut-off.ts'
import { encodeLiveId } from './row-cursor.ts'
import type { AttemptRow, LiveRow, RequestDetail, RequestRow, TrailStep } from './row-schemas.ts'
import { toAttemptColumns } from './rows.ts'

export function toRequestRow(columns: ListedColumns): RequestRow {
  const meta = columns.meta === null ? null : (JSON.parse(columns.meta) as Envelope['meta'])
  const trail = toTrail(columns, meta)
  const borrowed = toAnswerFrom(columns)?.borrowed ?? false
  const isCutOff = wasCutOff(columns)
  return {
    request_id: columns.request_id,
    correlation_id: columns.correlation_id,
    trace_id: meta?.trace_id ?? null,
    batch_id: columns.batch_id,
    batch_step: columns.batch_step,
    batch_item: columns.batch_item,
    time: new Date(columns.time).toISOString(),
    caller: columns.caller,
    capability_id: columns.capability_id,
    ok: columns.ok === 1,
    code: columns.code,
    route_used: columns.route_used,
    reason: columns.reason,
    http_status: isCutOff ? null : columns.http_status,
    duration_ms: isCutOff ? null : columns.duration_ms,
    attempts: countAttempts(trail, borrowed),
    write_outcome: columns.write_outcome,
    borrowed,
    trail,
  } as RequestRow
}

function toAnswerFrom({ answer_from, reason }: ListedColumns): AnswerFrom | null {
  return (fromJson(answer_from) as AnswerFrom | null) ?? answerFromReason(reason)
}

/** A write whose gateway died has no `meta`: only the attempt that was in flight is known. */
function toTrail({ route_used, code }: ListedColumns, meta: Envelope['meta'] | null): TrailStep[] {
  if (meta === null) {
    const unknown = { reason: null, duration_ms: null, purpose: null }
    const step = { route: route_used, status: 'error', code, ...unknown }
    return route_used === null ? [] : [step as TrailStep]
  }
  return meta.attempts.map(({ route, status, error_code, reason, duration_ms, purpose }) => ({
    route,
    status,
    code: error_code ?? null,
    reason: reason ?? null,
    duration_ms: duration_ms ?? null,
    purpose: purpose ?? null,
  }))
}

export function toLiveRow(columns: Written): LiveRow {
  const { key, time, duration_ms } = columns
  return {
    id: encodeLiveId({ key, ended: Math.floor(time + duration_ms) }),
    row: toRequestRow(columns),
  }
}

/** The attempt of a request that is `SOLE`, as if it had a row. */
export function toSoleAttempt(columns: Written): Keyed<AttemptColumns> {
  const { attempts } = JSON.parse(columns.meta ?? '') as Envelope['meta']
  return { key: columns.key, ...toAttemptColumns(columns, attempts[0] as Attempt, 0) }
}

export function toAttemptRow(columns: AttemptColumns): AttemptRow {
  return {
    request_id: columns.request_id,
    index: columns.position,
    time: new Date(columns.time).toISOString(),
    capability_id: columns.capability_id,
    caller: columns.caller,
    route: columns.route,
    status: columns.status,
    code: columns.code,
    reason: columns.reason,
    duration_ms: columns.duration_ms,
    upstream_status: columns.upstream_status,
    next: columns.next,
    purpose: columns.purpose,
  } as AttemptRow
}

export function toRequestDetail(columns: RequestColumns & DetailColumns): RequestDetail {
  const meta = fromJson(columns.meta) as Envelope['meta'] | null
  return {
    ...toRequestRow(columns),
    upstream: columns.upstream,
    effect: columns.effect,
    plan: fromJson(columns.plan),
    error: fromJson(columns.error),
    meta,
    input: fromJson(columns.input),
    data: fromJson(columns.data),
    trace: toTrace(columns, meta?.attempts ?? []),
    answer_from: toAnswerFrom(columns),
    options: toOptions(columns.asked_options),
    idempotency_key_hash: columns.key_hash,
  } as RequestDetail
}

/**
 * Older versions added to each call of a batch the time that the batch had left, which has a fraction. Callers can give whole
 * milliseconds only.
 */
function toOptions(text: string | null): AskedOptions | null {
  const options = fromJson(text) as AskedOptions | null
  if (options?.timeout_ms === undefined || Number.isInteger(options.timeout_ms)) return options
  const { timeout_ms: _left, ...given } = options
  return Object.keys(given).length === 0 ? null : given
}

/** The journal does not store the steps of a plain success: they follow from its attempts. */
function toTrace(
  { trace, capability_id }: RequestColumns & DetailColumns,
  attempts: readonly Attempt[],
): Trace | null {
  const kept = fromJson(trace) as Trace | null
  if (!kept || kept.steps) return kept
  const steps = attempts.map(attempt => toStep(capability_id ?? '', attempt, null))
  return { ...kept, steps }
}

function fromJson(text: string | null): unknown {
  return text === null ? null : parseJson(text)
}
