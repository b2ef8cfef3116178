/** From records to rows. Knows no database: every implementation stores these. */

import { redactValue } from '../lib/redact.ts'
import type { Attempt, Envelope, EnvelopeError } from '../model/envelope.ts'
import { CODES } from '../model/errors.ts'
import { describeFailure } from '../model/failed-envelope.ts'
import {
  type AttemptColumns,
  type DetailColumns,
  type IntentColumns,
  type RequestColumns,
  type RequestRows,
  SOLE,
} from './columns.ts'
import type { IntentRecord, RequestRecord } from './journal.ts'

/** `off` keeps neither input nor data; `redacted` keeps both with secrets removed. */
export type Payloads = 'off' | 'redacted'

/** A payload whose JSON is longer is kept as its beginning, inside a marker. */
export const MAX_PAYLOAD_LENGTH = 64 * 1024
const HEAD_LENGTH = 16 * 1024

export function toRequestRows(record: RequestRecord, payloads: Payloads): RequestRows {
  const { envelope } = record
  const { meta, error } = envelope
  const plain = isPlain(envelope)
  const sole = plain && !record.borrowed && meta.attempts.length === 1
  return {
    request: {
      request_id: record.request_id,
      time: record.time,
      caller: record.caller,
      capability_id: record.capability_id,
      ok: envelope.ok ? 1 : 0,
      code: error?.code ?? null,
      route_used: meta.route_used,
      reason: meta.reason,
      http_status: record.http_status,
      duration_ms: meta.duration_ms,
      attempts: meta.attempts.length,
      write_outcome: error?.write_outcome ?? null,
      plain: sole ? SOLE : plain ? 1 : 0,
    },
    details: {
      upstream: record.upstream,
      effect: record.effect,
      plan: toJson(record.plan),
      ...toAnswerJson(envelope),
      input: payloads === 'redacted' ? toPayload(record.input) : null,
      data: payloads === 'redacted' ? toPayload(envelope.data) : null,
      trace: toTraceJson(record),
    },
    attempts:
      sole || record.borrowed
        ? []
        : meta.attempts.map((attempt, position) => toAttemptColumns(record, attempt, position)),
  }
}

export function toIntentRow(record: IntentRecord): IntentColumns {
  return {
    request_id: record.request_id,
    time: record.time,
    caller: record.caller,
    capability_id: record.capability_id,
    route: record.route,
  }
}

/**
 * What is known of a write whose gateway died before the answer: that it may have been sent, and on
 * which route. Nobody was answered, so there is no meta.
 */
export function toInterruptedRows(intent: IntentColumns): RequestRows {
  const { request_id, time, caller, capability_id, route } = intent
  const error = interruptedError()
  const shared = { request_id, time, caller, capability_id, code: error.code }
  return {
    request: {
      ...shared,
      ok: 0,
      route_used: route,
      reason: 'WRITE_OUTCOME_UNKNOWN',
      http_status: CODES[error.code].status,
      duration_ms: 0,
      attempts: 1,
      write_outcome: error.write_outcome,
      plain: 0,
    },
    details: {
      upstream: null,
      effect: null,
      plan: null,
      error: JSON.stringify(error),
      meta: null,
      input: null,
      data: null,
      trace: null,
    },
    attempts: [
      {
        ...shared,
        position: 0,
        route,
        status: 'error',
        reason: null,
        duration_ms: null,
        upstream_status: null,
        next: null,
      },
    ],
  }
}

function interruptedError(): EnvelopeError {
  return describeFailure({
    code: 'UNKNOWN',
    message:
      'The gateway stopped while this write was in flight, so it is not known whether it was applied. Look at the upstream before sending it again.',
    source: 'gateway',
    details: { interrupted: true },
    effect: 'write',
    writeOutcome: 'unknown',
  })
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
    capability_id: record.capability_id,
    caller: record.caller,
    route: attempt.route,
    status: attempt.status,
    code: attempt.error_code ?? null,
    reason: attempt.reason ?? null,
    duration_ms: attempt.duration_ms ?? null,
    upstream_status: attempt.upstream_status ?? null,
    next: attempt.next ?? null,
  }
}

function isPlain(envelope: Envelope): boolean {
  return envelope.ok && envelope.meta.attempts.every(attempt => attempt.status === 'success')
}

/** Messages may quote an upstream, so they are searched for secrets; a plain success has none. */
function toAnswerJson(envelope: Envelope): Pick<DetailColumns, 'error' | 'meta'> {
  const { error, meta } = envelope
  if (isPlain(envelope) && meta.warnings.length === 0) {
    return { error: null, meta: toJson(meta) }
  }
  return { error: toJson(redactValue(error)), meta: toJson(redactValue(meta)) }
}

/** The steps of a plain success are its attempts, which are in `meta` already (see views.ts). */
function toTraceJson({ trace, envelope }: RequestRecord): string | null {
  return toJson(trace && isPlain(envelope) ? { ...trace, steps: undefined } : trace)
}

function toPayload(value: unknown): string | null {
  // Redacted before it is cut: half a token has no shape to be recognised by.
  const json = toJson(redactValue(value))
  if (json === null || json.length <= MAX_PAYLOAD_LENGTH) return json
  return JSON.stringify({ truncated: true, length: json.length, head: json.slice(0, HEAD_LENGTH) })
}

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
