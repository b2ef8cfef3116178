import { answerError } from '../answer/to-answer.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution, beginSpans, subjectOf } from '../engine/execution.ts'
import { ANONYMOUS } from '../model/audit.ts'
import type { Answer } from '../model/envelope.ts'
import type { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { observe, record } from './record.ts'

/** A call that was answered before it reached the pipeline: its key is unknown, or it cannot be read. */
export interface Refusal {
  /** Null when the key is unknown. */
  readonly caller: string | null
  /** Null for a whole batch. */
  readonly capability: string | null
  /** The header, as the caller sent it. */
  readonly traceparent: string | null
  readonly answer: Answer
}

/** The journal keeps this many requests without a key per minute, so that strangers cannot fill the disk. */
const KEPT_PER_MINUTE = 60
const MINUTE = 60_000

/** Answers a call with an error found before the pipeline, and records it. */
export async function refuse(
  engine: Engine,
  request: ExecuteRequest,
  error: GatewayError,
): Promise<Answer> {
  const execution = beginExecution(engine, request)
  execution.card = engine.catalog.get(request.capability) ?? null
  execution.spans = beginSpans(engine, execution)
  const answer = answerError(execution, error)
  const { caller, capability } = request
  const isPart = request.requestId === undefined
  const finished = { ...toRecord(engine, { caller: caller.name, capability, answer }), isPart }
  execution.spans?.end(finished)
  await record(engine, finished, engine.policy.timeoutMs)
  return { ...answer, subject: subjectOf(execution) }
}

/** Records refusals; of those without a known key, it only counts what exceeds the limit per minute. */
export function createRefusalRecorder(engine: Engine): (refusal: Refusal) => Promise<void> {
  const { clock } = engine
  let minute = 0
  let kept = 0
  const isKept = ({ caller }: Refusal) => {
    if (caller !== null) return true
    if (clock.now() - minute >= MINUTE) {
      minute = clock.now()
      kept = 0
    }
    return kept++ < KEPT_PER_MINUTE
  }
  return async refusal => {
    if (isKept(refusal)) await recordRefusal(engine, refusal)
    else observe(engine, toRecord(engine, refusal))
  }
}

async function recordRefusal(engine: Engine, refusal: Refusal): Promise<void> {
  const finished = toRecord(engine, refusal)
  const { capability, traceparent } = refusal
  const { time, request_id: requestId } = finished
  // A batch itself has no span: its calls have theirs.
  if (capability !== null) engine.tracing?.begin({ time, traceparent, requestId }).end(finished)
  await record(engine, finished, engine.policy.timeoutMs)
}

function toRecord(
  { catalog, clock }: Engine,
  { caller, capability, answer }: Omit<Refusal, 'traceparent'>,
) {
  const { envelope, status } = answer
  const card = capability === null ? undefined : catalog.get(capability)
  return {
    request_id: envelope.meta.request_id,
    time: Math.round(clock.now() - envelope.meta.duration_ms),
    caller: caller ?? ANONYMOUS,
    capability_id: card?.id ?? null,
    upstream: card?.upstream.id ?? null,
    effect: card?.effect ?? null,
    http_status: status,
    plan: null,
    envelope,
  }
}
