import type { Clock } from '../lib/clock.ts'
import { Deadline } from '../lib/deadline.ts'
import type { Card } from '../model/card.ts'
import { type Credential, createCredential, ownCredential } from '../model/credential.ts'
import type { Attempt } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Plan, PlanRequest } from '../model/plan.ts'
import type { PageStart, Subject } from '../model/subject.ts'
import type { TraceStep } from '../model/trace.ts'
import type { Warning } from '../model/warnings.ts'
import type { Claim } from '../state/idempotency.ts'
import type { Engine } from './engine.ts'
import type { RequestSpans } from './spans.ts'

/** What is known of a request while it runs. Filled in on the way, so that a failure at any step can be told. */
export interface Execution {
  readonly id: string
  readonly request: ExecuteRequest
  readonly clock: Clock
  /** Epoch milliseconds. */
  readonly time: number
  readonly deadline: Deadline
  readonly attempts: Attempt[]
  /** The same with what was decided on, for a replay. */
  readonly steps: TraceStep[]
  readonly warnings: Warning[]
  card: Card | null
  /** As the caller gave it, with defaults. */
  asked: Readonly<Record<string, unknown>> | null
  /** As the routes see it: without the gateway's wrapping of a cursor. */
  input: Readonly<Record<string, unknown>> | null
  /** Where the page begins that is asked for; null when the card has none. */
  page: PageStart | null
  credential: Credential | null
  planRequest: PlanRequest | null
  plan: Plan | null
  /** The attempts are those of another request, which was under way when this one came. */
  joined: boolean
  /** The Idempotency-Key that this request holds, and has to settle. */
  claim: Claim | null
  /** Null when nobody collects traces. */
  spans: RequestSpans | null
}

export function beginExecution(
  engine: Pick<Engine, 'clock' | 'policy' | 'createRequestId'>,
  request: ExecuteRequest,
): Execution {
  const { clock, policy } = engine
  return {
    id: request.requestId ?? engine.createRequestId(),
    request,
    clock,
    time: clock.now(),
    deadline: new Deadline(
      clock,
      Math.min(request.timeoutMs ?? policy.timeoutMs, policy.maxTimeoutMs),
    ),
    attempts: [],
    steps: [],
    warnings: [],
    card: null,
    asked: null,
    input: null,
    page: null,
    credential: null,
    planRequest: null,
    plan: null,
    joined: false,
    claim: null,
    spans: null,
  }
}

/** For a collector of traces, if there is one. */
export function beginSpans(
  { tracing }: Pick<Engine, 'tracing'>,
  { time, request }: Execution,
): RequestSpans | null {
  return tracing?.begin({ time, traceparent: request.traceparent ?? null }) ?? null
}

/** What its answer will be told about. */
export function subjectOf({ card, asked, time, page }: Execution): Subject {
  return { card, input: asked, time, page }
}

/** Milliseconds since the request began. */
export function elapsed({ clock, deadline }: Execution): number {
  return clock.monotonic() - deadline.startedAt
}

/**
 * The token that the upstream will see: the caller's own where that is allowed, else the gateway's.
 * @throws {GatewayError} VALIDATION when the caller sends one that the upstream does not take.
 */
export function chooseCredential(card: Card, request: ExecuteRequest): Credential | null {
  const { upstream } = card
  if (request.upstreamToken !== undefined) {
    if (!upstream.passthrough) {
      throw new GatewayError(
        'VALIDATION',
        `${upstream.id} takes no X-Upstream-Authorization. Leave the header out.`,
        {
          source: 'caller',
          details: { fields: [{ path: 'x-upstream-authorization', message: 'is not accepted' }] },
        },
      )
    }
    return createCredential(request.upstreamToken, 'passthrough')
  }
  return upstream.token === null ? null : ownCredential(upstream.token)
}
