import type { Hold } from '../lib/byte-budget.ts'
import type { Clock } from '../lib/clock.ts'
import { Deadline } from '../lib/deadline.ts'
import type { JsonText } from '../lib/json-text.ts'
import type { AnswerFrom } from '../model/answer-from.ts'
import { describeCaller } from '../model/caller.ts'
import type { Card } from '../model/card.ts'
import { type Identity, ownId } from '../model/credential.ts'
import type { Attempt } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Plan, PlanRequest } from '../model/plan.ts'
import type { PageStart, Selection, Subject } from '../model/subject.ts'
import type { TraceStep } from '../model/trace.ts'
import { traceIdOf } from '../model/trace-context.ts'
import type { Warning } from '../model/warnings.ts'
import type { Claim } from '../state/idempotency.ts'
import type { Lease } from '../state/key-limits.ts'
import type { Engine } from './engine.ts'
import type { RequestSpans } from './spans.ts'

/** The state of a running request. The pipeline fills it in step by step, so that it can report a failure anywhere. */
export interface Execution {
  readonly id: string
  readonly request: ExecuteRequest
  readonly clock: Clock
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** Epoch milliseconds; the change was sent no earlier. Before `time` if an earlier request with its Idempotency-Key sent it. */
  sentAfter: number
  readonly deadline: Deadline
  readonly attempts: Attempt[]
  /** The attempts with the facts that a replay needs. */
  readonly steps: TraceStep[]
  readonly warnings: Warning[]
  card: Card | null
  /** The members of `data` that the caller wants. */
  selection: Selection
  /** The caller's input, with defaults. */
  asked: Readonly<Record<string, unknown>> | null
  /** The input as the routes see it: without the gateway's wrapping of a cursor. */
  input: Readonly<Record<string, unknown>> | null
  /** Start of the requested page; null when the card has no pages. */
  page: PageStart | null
  credential: Identity | null
  planRequest: PlanRequest | null
  plan: Plan | null
  /** The plan as the journal keeps it. */
  planJson: JsonText | null
  /** The attempts belong to an identical request that was already running. */
  joined: boolean
  /** The other request that the answer comes from; null for an answer of this request's own. */
  answerFrom: AnswerFrom | null
  /** The age of an answer that came from memory; null for any other. */
  ageMs: number | null
  /** The Idempotency-Key that this request holds and must settle. */
  claim: Claim | null
  /** The approval that this request used. */
  approval: string | null
  /** Its place among the calls of its key; null where the key has no limits. */
  lease: Lease | null
  /** Counts the bytes of this request's answers; null before its run. */
  held: Hold | null
  /** Null when no collector of traces is configured. */
  spans: RequestSpans | null
}

export function beginExecution(
  engine: Pick<Engine, 'clock' | 'policy' | 'createRequestId'>,
  request: ExecuteRequest,
): Execution {
  const { clock, policy } = engine
  const time = clock.now()
  return {
    id: request.requestId ?? engine.createRequestId(),
    request,
    clock,
    time,
    sentAfter: time,
    deadline: new Deadline(clock, callTime(policy, request, null) ?? policy.timeoutMs),
    attempts: [],
    steps: [],
    warnings: [],
    card: null,
    selection: 'all',
    asked: null,
    input: null,
    page: null,
    credential: null,
    planRequest: null,
    plan: null,
    planJson: null,
    joined: false,
    answerFrom: null,
    ageMs: null,
    claim: null,
    approval: null,
    lease: null,
    held: null,
    spans: null,
  }
}

/** The time that a call names, or else its card, but no more than the call is given; null if nothing says it. */
export function callTime(
  { maxTimeoutMs }: Engine['policy'],
  { timeoutMs, withinMs }: Pick<ExecuteRequest, 'timeoutMs' | 'withinMs'>,
  card: Pick<Card, 'timeoutMs'> | null,
): number | null {
  const named = timeoutMs ?? card?.timeoutMs ?? withinMs
  return named === undefined ? null : Math.min(named, withinMs ?? maxTimeoutMs, maxTimeoutMs)
}

/** Gives a call that names no time the time of its card. */
export function allowCardTime(
  { policy }: Pick<Engine, 'policy'>,
  { deadline, request }: Execution,
  card: Card,
): void {
  const own = callTime(policy, request, card)
  if (request.timeoutMs === undefined && own !== null) deadline.moveTo(own)
}

/** Null when no collector of traces is configured. */
export function beginSpans(
  { tracing }: Pick<Engine, 'tracing'>,
  { id, time, request }: Execution,
): RequestSpans | null {
  return tracing?.begin({ time, traceparent: request.traceparent ?? null, requestId: id }) ?? null
}

/** The trace of the request; null without a collector, unless the caller names one. */
export function traceIdOfCall({ spans, request }: Execution): string | null {
  return spans?.traceId ?? traceIdOf(request.traceparent)
}

/** The context that rendering the answer needs. */
export function subjectOf(execution: Execution): Subject {
  const { card, asked, time, sentAfter, page, selection } = execution
  return { card, input: asked, time, sentAfter, page, selection }
}

/** The credentials of this request, which an upstream may echo. */
export function secretsOf({ card, request }: Execution): readonly string[] {
  const { upstreamToken } = request
  const known = card?.upstream.credentials.secrets() ?? []
  return upstreamToken === undefined ? known : [...known, upstreamToken]
}

/** Milliseconds since the request began. */
export function elapsed({ clock, deadline }: Execution): number {
  return clock.monotonic() - deadline.startedAt
}

/**
 * The credential for the upstream: the caller's own where its key and the upstream allow it, else the gateway's.
 * @throws {GatewayError} when the caller sends one that is not allowed, or its key names one that does not exist.
 */
export function chooseCredential(card: Card, request: ExecuteRequest): Identity | null {
  const { id: upstream, credentials } = card.upstream
  const { caller, upstreamToken } = request
  if (upstreamToken !== undefined) {
    if (caller.passthrough === false) {
      throw new GatewayError(
        'FORBIDDEN',
        `The ${describeCaller(caller)} may not send X-Upstream-Authorization. Leave the header out.`,
        { source: 'caller', details: { reason: 'KEY_FORBIDDEN' } },
      )
    }
    if (!credentials.passthrough) throw noPassthrough(upstream)
    return credentials.ofCaller(upstreamToken)
  }
  const name = caller.credentials?.[upstream] ?? request.credential ?? null
  if (name !== null && !credentials.ids.includes(ownId(upstream, name))) {
    throw new GatewayError(
      'AUTH',
      `${upstream} has no credential "${name}". The operator can declare it in upstream.yaml, or choose another for the ${describeCaller(caller)}.`,
    )
  }
  return credentials.choose(name)
}

/** The credential of a call, once its input is known. */
export function forAccount(
  { upstream }: Card,
  credential: Identity | null,
  input: Readonly<Record<string, unknown>>,
): Identity | null {
  if (!credential?.ofAccount) return credential
  const account = upstream.accountOf(input)
  return account === null ? credential : credential.ofAccount(account)
}

function noPassthrough(upstream: string): GatewayError {
  return new GatewayError(
    'VALIDATION',
    `${upstream} does not accept X-Upstream-Authorization. Leave the header out.`,
    {
      source: 'caller',
      details: { fields: [{ path: 'x-upstream-authorization', message: 'is not accepted' }] },
    },
  )
}
