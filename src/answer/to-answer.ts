import type { Engine } from '../engine/engine.ts'
import { type Execution, elapsed, traceIdOfCall } from '../engine/execution.ts'
import type { Building } from '../lib/building.ts'
import { roundMs } from '../lib/round-ms.ts'
import { batchNamesOf } from '../model/batch-names.ts'
import type { Card, FieldProblem } from '../model/card.ts'
import type { Answer, Attempt, Meta } from '../model/envelope.ts'
import type { ErrorSource } from '../model/errors.ts'
import { GatewayError } from '../model/errors.ts'
import {
  describeFailure,
  describeGatewayError,
  failedAnswer,
  problemsOf,
} from '../model/failed-envelope.ts'
import type { Failure } from '../model/failure.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Skip } from '../model/plan.ts'
import { type ReadCall, verifyCallOf } from '../model/read-call.ts'
import type { Reason } from '../model/reasons.ts'
import type { Route } from '../model/route.ts'
import { faultyMembers, refusedMembers, translateFields } from './faulty-members.ts'
import { stateCall } from './state-call.ts'

/** How the pipeline ended: with an outcome of the routes, a stored answer, or an error of the gateway's own. */
export type Settled = Outcome | { readonly replay: Answer } | GatewayError

export function toAnswer(
  engine: Pick<Engine, 'catalog'>,
  execution: Execution,
  settled: Settled,
): Answer {
  if (settled instanceof GatewayError) return answerError(execution, settled)
  if ('replay' in settled) return replayAnswer(execution, settled.replay)
  const meta = metaOf(execution, settled.route, settled.reason)
  if (settled.ok)
    return { envelope: { ok: true, data: settled.data, error: null, meta }, status: 200 }
  return answerFailure(engine, execution, settled.failure, meta)
}

/** The stored answer as this request's own. Its attempts are those of the first request. */
function replayAnswer(execution: Execution, { envelope, status }: Answer): Answer {
  const { batch_id: _id, batch_step: _step, batch_item: _item, ...first } = envelope.meta
  const { correlation_id: _own, trace_id: _trace, ...given } = first
  const names: Building<Partial<Meta>> = { request_id: execution.id }
  addNames(names, execution)
  const meta: Meta = {
    ...given,
    ...names,
    reason: 'IDEMPOTENT_REPLAY',
    duration_ms: roundMs(elapsed(execution)),
  }
  return { envelope: { ...envelope, meta }, status, replayed: true }
}

/** An error that no route caused: bad input, no usable route, a bug. */
export function answerError(execution: Execution, error: GatewayError): Answer {
  const reason = (error.details.reason as Reason | undefined) ?? null
  const meta = metaOf(
    execution,
    null,
    execution.joined ? 'COALESCED' : (reason ?? usualReason(error)),
  )
  const effect = execution.card?.effect ?? null
  return failedAnswer(
    describeGatewayError(error, effect, fieldsToFix(execution, error)),
    meta,
    error.status,
  )
}

function usualReason({ code }: GatewayError): Reason | null {
  return code === 'VALIDATION' ? 'INPUT_VALIDATION' : null
}

function fieldsToFix({ card, request }: Execution, error: GatewayError): readonly string[] {
  // A pinned route that cannot serve the call: another one may.
  if (request.route !== undefined && error.code === 'ADAPTER_UNSUPPORTED') return ['route']
  return refusedMembers(card, request.input, problemsOf(error))
}

function answerFailure(
  { catalog }: Pick<Engine, 'catalog'>,
  execution: Execution,
  failure: Failure,
  meta: Meta,
): Answer {
  const { card, asked, request } = execution
  const { code, message, retryAfterMs, writeOutcome } = failure
  const error = describeFailure({
    code,
    message,
    source: sourceOf(failure),
    transient: failure.retryable,
    retryAfterMs,
    details: detailsOf(card, failure),
    effect: card?.effect ?? null,
    writeOutcome,
    hint: failure.hint,
    verify: failure.continueWith ?? checkCall(catalog, execution),
    shows: failure.continueWith ?? (code === 'CONFLICT' ? stateCall(catalog, execution) : null),
    fields: membersToFix(card, asked, failure, request.route !== undefined),
  })
  return failedAnswer(error, meta, isOverload(failure) ? 503 : undefined)
}

/** The read that shows whether a change was made. For idempotent changes, which leave a state, any view of it will do. */
function checkCall(catalog: Engine['catalog'], execution: Execution): ReadCall | null {
  const { card, input, sentAfter } = execution
  return card?.effect === 'idempotent'
    ? stateCall(catalog, execution)
    : verifyCallOf(card, input, sentAfter)
}

/** The members and options that the caller can change to make the call work. */
function membersToFix(
  card: Card | null,
  asked: Execution['asked'],
  failure: Failure,
  isPinned: boolean,
): readonly string[] {
  if (failure.code === 'ADAPTER_UNSUPPORTED') return isPinned ? ['route'] : []
  return card && asked ? faultyMembers(card, asked, failure) : []
}

function detailsOf(card: Card | null, { details, members = [] }: Failure): Failure['details'] {
  const { fields } = details
  return card && Array.isArray(fields)
    ? { ...details, fields: translateFields(card, fields as readonly FieldProblem[], members) }
    : details
}

/** The gateway itself is overloaded, and will serve the call soon. */
function isOverload({ code, source }: Failure): boolean {
  return code === 'SERVER' && source === 'gateway'
}

function sourceOf({ code, source }: Failure): ErrorSource {
  if (source) return source
  return code === 'ADAPTER_UNSUPPORTED' || code === 'CANCELLED' ? 'gateway' : 'upstream'
}

function metaOf(execution: Execution, route: Route | null, reason: Reason | null): Meta {
  const meta: Building<Partial<Meta>> = {
    capability_id: execution.request.capability || null,
    request_id: execution.id,
  }
  addNames(meta, execution)
  meta.route_used = route
  meta.reason = reason
  meta.attempts = allAttempts(execution)
  if (execution.ageMs !== null) meta.age_ms = Math.round(execution.ageMs)
  meta.duration_ms = roundMs(elapsed(execution))
  meta.warnings = execution.warnings
  return meta as Meta
}

/** The ids that belong to the call, beside its own. */
function addNames(meta: Building<Partial<Meta>>, execution: Execution): void {
  const { request, approval } = execution
  const { correlationId, batch } = request
  const trace = traceIdOfCall(execution)
  if (trace !== null) meta.trace_id = trace
  if (approval !== null) meta.approval_id = approval
  if (correlationId !== undefined) meta.correlation_id = correlationId
  if (batch !== undefined) Object.assign(meta, batchNamesOf(request))
}

/** Inserts skipped routes where they would have been tried. */
function allAttempts({ card, plan, attempts }: Execution): Attempt[] {
  if (!plan || plan.skipped.length === 0) return attempts
  const order = [
    ...new Set([
      ...(card?.routes.map(({ route }) => route) ?? []),
      ...plan.skipped.map(({ route }) => route),
    ]),
  ]
  return order.flatMap(route => [
    ...plan.skipped.filter(skip => skip.route === route).map(skippedAttempt),
    ...attempts.filter(attempt => attempt.route === route),
  ])
}

function skippedAttempt({ route, code, reason, message, retry_after_ms }: Skip): Attempt {
  const wait = retry_after_ms === null ? {} : { retry_after_ms }
  return { route, status: 'skipped', error_code: code, reason, message, ...wait }
}
