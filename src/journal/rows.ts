/** Turns records into rows, which are the same for every database. */

import { type JsonText, jsonOf } from '../lib/json-text.ts'
import { redactJson } from '../lib/redact.ts'
import type { Attempt, Envelope, EnvelopeError } from '../model/envelope.ts'
import { describeFailure } from '../model/failed-envelope.ts'
import type { Route } from '../model/route.ts'
import type { Trace } from '../model/trace.ts'
import {
  type AttemptColumns,
  type DetailColumns,
  type IntentColumns,
  type RequestColumns,
  type RequestRows,
  SOLE,
} from './columns.ts'
import type { IntentRecord, RequestRecord } from './journal.ts'

/** `off` stores neither input nor data; `redacted` stores both with secrets removed. */
export type Payloads = 'off' | 'redacted'

/** Payloads with longer JSON are cut: the journal stores their beginning inside a marker. */
export const MAX_PAYLOAD_LENGTH = 64 * 1024
const HEAD_LENGTH = 16 * 1024

/** @param secrets removed from everything that an upstream may have echoed */
export function toRequestRows(
  record: RequestRecord,
  payloads: Payloads,
  secrets: readonly string[] = [],
): RequestRows {
  const { envelope, answerFrom } = record
  const borrowed = answerFrom?.borrowed === true
  const { attempts } = envelope.meta
  const plain = envelope.ok && attempts.every(attempt => attempt.status === 'success')
  const sole = plain && !borrowed && isSole(attempts)
  return {
    request: toRequestColumns(record, sole ? SOLE : plain ? 1 : 0),
    details: toDetailColumns(record, payloads, { plain, secrets }),
    attempts:
      sole || borrowed
        ? []
        : attempts.map((attempt, position) => toAttemptColumns(record, attempt, position)),
  }
}

/**
 * The status 200 is so usual that nobody looks for it. Other statuses have a row, by which filters find them. A read
 * that verified a write is filed under another capability than its request.
 */
function isSole([only, ...more]: readonly Attempt[]): boolean {
  if (only === undefined || more.length > 0 || only.purpose !== undefined) return false
  return only.upstream_status === undefined || only.upstream_status === 200
}

function toRequestColumns(record: RequestRecord, plain: RequestColumns['plain']): RequestColumns {
  const { ok, error, meta } = record.envelope
  return {
    request_id: record.request_id,
    time: record.time,
    caller: record.caller,
    capability_id: record.capability_id,
    ok: ok ? 1 : 0,
    code: error?.code ?? null,
    route_used: meta.route_used,
    reason: meta.reason,
    http_status: record.http_status,
    duration_ms: meta.duration_ms,
    attempts: meta.attempts.length,
    write_outcome: error?.write_outcome ?? null,
    correlation_id: meta.correlation_id ?? null,
    batch_id: meta.batch_id ?? null,
    batch_step: meta.batch_step ?? null,
    batch_item: meta.batch_item ?? null,
    plain,
  }
}

interface Redaction {
  readonly plain: boolean
  readonly secrets: readonly string[]
}

function toDetailColumns(
  record: RequestRecord,
  payloads: Payloads,
  redaction: Redaction,
): DetailColumns {
  const { envelope } = record
  const { error, meta } = toAnswerJson(record, redaction)
  return {
    upstream: record.upstream,
    effect: record.effect,
    plan: record.planJson?.text ?? toJson(record.plan),
    error,
    meta,
    input: payloads === 'redacted' ? toPayload(record.input, redaction) : null,
    data: payloads === 'redacted' ? toPayload(envelope.data, redaction, record.dataJson) : null,
    trace: toTraceJson(record.trace, redaction.plain),
    answer_from: toJson(record.answerFrom),
    asked_options: record.options ? redactJson(record.options, redaction.secrets) : null,
    key_hash: record.keyHash ?? null,
    approval_id: approvalOf(envelope),
  }
}

/** One that waits, or was refused, names its approval in the error. */
function approvalOf({ meta, error }: Envelope): string | null {
  if (meta.approval_id !== undefined) return meta.approval_id
  const named = error?.details.approval_id
  return typeof named === 'string' ? named : null
}

/** Messages may quote an upstream, so they are searched for secrets; a plain success without warnings has none. */
function toAnswerJson(
  { envelope: { error, meta }, metaJson }: RequestRecord,
  { plain, secrets }: Redaction,
): Pick<DetailColumns, 'error' | 'meta'> {
  if (plain && meta.warnings.length === 0) return { error: null, meta: jsonOf(meta, metaJson) }
  return {
    error: error === null ? null : redactJson(error, secrets),
    meta: redactJson(meta, secrets, jsonOf(meta, metaJson)),
  }
}

/** The steps of a plain success are not stored: they follow from its attempts, which `meta` has (see views.ts). */
function toTraceJson(trace: RequestRecord['trace'], plain: boolean): string | null {
  return trace && plain ? plainTrace(trace) : toJson(trace)
}

/** The last trace without its steps. The next plain success mostly has the same: callers seldom choose a time or a route. */
let last: { readonly trace: Trace; readonly text: string } | null = null

function plainTrace(trace: Trace): string {
  if (last && isAlike(last.trace, trace)) return last.text
  const own = { ...trace, steps: undefined }
  const text = JSON.stringify(own)
  last = { trace: { ...trace, steps: [] }, text }
  return text
}

function isAlike(one: Trace, other: Trace): boolean {
  return (
    one.policy === other.policy &&
    one.timeout_ms === other.timeout_ms &&
    one.pin === other.pin &&
    one.cursor_route === other.cursor_route &&
    one.has_credential === other.has_credential
  )
}

function toPayload(value: unknown, { secrets }: Redaction, known?: JsonText): string | null {
  // Redact before cutting: the first half of a token does not look like one.
  if (value === null || value === undefined) return null
  const json = redactJson(value, secrets, jsonOf(value, known))
  if (json.length <= MAX_PAYLOAD_LENGTH) return json
  return JSON.stringify({ truncated: true, length: json.length, head: json.slice(0, HEAD_LENGTH) })
}

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

type Tried = Pick<RequestColumns, 'request_id' | 'time' | 'capability_id' | 'caller'>

export function toAttemptColumns(
  record: Tried,
  attempt: Attempt,
  position: number,
): AttemptColumns {
  return {
    request_id: record.request_id,
    position,
    time: Math.round(record.time + (attempt.started_ms ?? 0)),
    capability_id: attempt.capability_id ?? record.capability_id,
    caller: record.caller,
    route: attempt.route,
    status: attempt.status,
    code: attempt.error_code ?? null,
    reason: attempt.reason ?? null,
    duration_ms: attempt.duration_ms ?? null,
    upstream_status: attempt.upstream_status ?? null,
    next: attempt.next ?? null,
    purpose: attempt.purpose ?? null,
  }
}

export function toIntentRow(record: IntentRecord): IntentColumns {
  return {
    request_id: record.request_id,
    time: record.time,
    caller: record.caller,
    capability_id: record.capability_id,
    route: record.route,
    correlation_id: record.correlation_id ?? null,
    batch_id: record.batch_id ?? null,
    batch_step: record.batch_step ?? null,
    batch_item: record.batch_item ?? null,
    upstream: record.upstream ?? null,
    effect: record.effect ?? null,
    key_hash: record.keyHash ?? null,
  }
}

/**
 * The record of a write whose gateway died before it answered. All that is known is that the write may have been
 * sent, and on which route. There was no answer, so `meta` is null.
 */
export function toInterruptedRows(intent: IntentColumns): RequestRows {
  const { request_id, time, caller, capability_id, route, upstream, effect, key_hash, ...names } =
    intent
  const error = interruptedError()
  const attempt = { route: route as Route, status: 'error', error_code: error.code } as const
  return {
    request: {
      request_id,
      time,
      caller,
      capability_id,
      ok: 0,
      code: error.code,
      route_used: route,
      reason: 'WRITE_OUTCOME_UNKNOWN',
      // Nobody was answered, and nobody measured it; see `cut-off.ts`.
      http_status: 0,
      duration_ms: 0,
      attempts: 1,
      write_outcome: error.write_outcome,
      ...namesOf(names),
      plain: 0,
    },
    details: {
      upstream,
      effect,
      plan: null,
      error: JSON.stringify(error),
      meta: null,
      input: null,
      data: null,
      trace: null,
      answer_from: null,
      asked_options: null,
      key_hash,
      approval_id: null,
    },
    attempts: [toAttemptColumns(intent, attempt, 0)],
  }
}

/** PostgreSQL returns the intent with its owner. */
function namesOf({
  correlation_id,
  batch_id,
  batch_step,
  batch_item,
}: Pick<IntentColumns, 'correlation_id' | 'batch_id' | 'batch_step' | 'batch_item'>) {
  return { correlation_id, batch_id, batch_step, batch_item }
}

function interruptedError(): EnvelopeError {
  return describeFailure({
    code: 'UNKNOWN',
    message:
      'The gateway stopped while this write was in flight, so nobody knows whether it was applied. Check the upstream before you send it again.',
    source: 'gateway',
    details: { interrupted: true },
    effect: 'write',
    writeOutcome: 'unknown',
  })
}
