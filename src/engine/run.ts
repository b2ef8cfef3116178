import type { Hold } from '../lib/byte-budget.ts'
import type { Deadline } from '../lib/deadline.ts'
import type { Signal } from '../lib/signal.ts'
import type { Batch } from '../model/adapter.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Identity } from '../model/credential.ts'
import type { Attempt } from '../model/envelope.ts'
import type { Failure } from '../model/failure.ts'
import type { Verdict } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { Route } from '../model/route.ts'
import type { TraceStep } from '../model/trace.ts'
import type { Warning } from '../model/warnings.ts'
import type { Engine } from './engine.ts'
import type { RequestSpans } from './spans.ts'

/** A route, and how it failed. */
export interface FailedRoute {
  readonly failure: Failure
  readonly route: CardRoute
}

/** One run of a plan: what its attempts need to know, and what they have come to so far. */
export interface Run {
  readonly engine: Engine
  readonly card: Card
  readonly plan: Plan
  /** The input as the routes see it: without the gateway's wrapping of a cursor. */
  readonly input: Readonly<Record<string, unknown>>
  readonly credential: Identity | null
  readonly requestId: string
  /** The caller's trace context, for requests without spans of our own. */
  readonly traceparent: string | null
  readonly spans: RequestSpans | null
  readonly batch: Batch | null
  /** Counts the bytes of the answers that this run reads. */
  readonly held: Hold
  readonly deadline: Deadline
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: Signal
  /** Whether the change may still be sent: another gateway may have taken over its Idempotency-Key. @default it may */
  readonly mayChange?: () => boolean
  /** `verify`: a read that checks on a write, instead of the call itself. */
  readonly purpose?: 'verify'
  /** Rows of `meta.attempts`, appended as they happen. */
  readonly attempts: Attempt[]
  /** The same with the facts that a replay needs. */
  readonly steps: TraceStep[]
  readonly warnings: Warning[]
  /**
   * Finds out whether a write of unknown outcome has happened; only for cards with `verify`.
   * @param since epoch milliseconds; the write began no earlier.
   */
  readonly verify: (since: number) => Promise<Verdict>
  /** The failure that explains the most so far. */
  explained: { readonly failure: Failure; readonly route: Route } | null
  lastFailed: FailedRoute | null
}

/** A run before its first attempt. */
export type RunFacts = Omit<Run, 'explained' | 'lastFailed'>

export function beginRun(facts: RunFacts, signal: Signal = facts.signal): Run {
  return { ...facts, signal, explained: null, lastFailed: null }
}
