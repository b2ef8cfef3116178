import type { AttemptPolicy, Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import type { RequestRecord } from '../journal/journal.ts'
import { keyHashOf } from '../journal/key-hash.ts'
import type { Eventual } from '../lib/eventual.ts'
import { endOf } from '../lib/within.ts'
import { askedOptionsOf } from '../model/asked-options.ts'
import type { Answer } from '../model/envelope.ts'
import type { Trace } from '../model/trace.ts'

/** A call that has used up its time still waits this long for its record. */
const RECORD_MS = 100

/**
 * Hands the one record of a finished request to metrics, traces and journal. A database may hang instead of failing, so
 * the answer does not wait for it beyond the deadline.
 */
export function record(
  engine: Engine,
  finished: RequestRecord,
  remainingMs: number,
  secrets: readonly string[] = [],
): Eventual<void> {
  observe(engine, finished)
  const ms = Math.max(RECORD_MS, remainingMs)
  return endOf(engine.journal.append(finished, secrets), ms)
}

export function observe({ observers }: Engine, finished: RequestRecord): void {
  for (const notify of observers) notify(finished)
}

/** The answer as the caller gets it from the door. A door that fails at that reports it when it writes the answer. */
export function asGiven({ request }: Pick<Execution, 'request'>, answer: Answer): Answer {
  try {
    return request.fit?.(answer) ?? answer
  } catch {
    return answer
  }
}

export function toRecord(
  engine: Engine,
  execution: Execution,
  { envelope, status, metaJson, dataJson }: Answer,
): RequestRecord {
  const { card, plan, planJson, request, asked, answerFrom, ageMs } = execution
  return {
    request_id: execution.id,
    time: execution.time,
    caller: request.caller.name,
    capability_id: card?.id ?? null,
    upstream: card?.upstream.id ?? null,
    effect: card?.effect ?? null,
    http_status: status,
    plan,
    planJson,
    envelope,
    metaJson,
    dataJson,
    // A call that was refused has not been read.
    input: asked ?? request.input,
    isPart: request.requestId === undefined,
    answerFrom,
    options: askedOptionsOf(request),
    keyHash: request.idempotencyKey === undefined ? null : keyHashOf(request.idempotencyKey),
    // The attempts alone do not lead to an answer from memory.
    trace: ageMs === null ? traceOf(engine, execution) : null,
  }
}

function traceOf(
  { policy }: Engine,
  { planRequest, credential, deadline, steps }: Execution,
): Trace | null {
  if (!planRequest) return null
  return {
    pin: planRequest.pin,
    cursor_route: planRequest.cursorRoute,
    has_credential: credential !== null,
    timeout_ms: deadline.timeoutMs,
    policy: policyOf(policy),
    steps,
  }
}

const policies = new WeakMap<AttemptPolicy, Trace['policy']>()

/** The same object for all requests of an engine. */
function policyOf(policy: AttemptPolicy): Trace['policy'] {
  const known = policies.get(policy)
  if (known) return known
  const { attemptTimeoutMs, reserveMs, retries } = policy
  const made = { attempt_timeout_ms: attemptTimeoutMs, reserve_ms: reserveMs, retries }
  policies.set(policy, made)
  return made
}
