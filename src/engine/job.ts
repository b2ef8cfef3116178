import type { Deadline } from '../lib/deadline.ts'
import type { Signal } from '../lib/signal.ts'
import type { Batch } from '../model/adapter.ts'
import type { Card } from '../model/card.ts'
import type { Credential } from '../model/credential.ts'
import type { Attempt } from '../model/envelope.ts'
import type { Outcome, Verdict } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { TraceStep } from '../model/trace.ts'
import type { Warning } from '../model/warnings.ts'
import type { RequestSpans } from './spans.ts'

/** All that a run needs to know of its request. */
export interface Job {
  readonly card: Card
  readonly plan: Plan
  readonly input: Readonly<Record<string, unknown>>
  readonly credential: Credential | null
  readonly requestId: string
  /** The caller's, handed on where there are no spans of this gateway's own. */
  readonly traceparent: string | null
  readonly spans: RequestSpans | null
  readonly batch: Batch | null
  readonly deadline: Deadline
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: Signal
  /** Why this runs, when it is not what was asked for. */
  readonly purpose?: 'verify'
  /** Rows of `meta.attempts`, appended to as they happen. */
  readonly attempts: Attempt[]
  /** What a replay of the decisions needs, appended to in the same way. */
  readonly steps: TraceStep[]
  readonly warnings: Warning[]
  /**
   * Finds out whether a write of unknown outcome has happened; called only where the card can tell.
   * @param since epoch milliseconds at which the write can have begun.
   */
  readonly verify: (since: number) => Promise<Verdict>
}

/** A finished run with its record, which callers who shared it get as well. */
export interface RunResult {
  readonly outcome: Outcome
  readonly attempts: readonly Attempt[]
  readonly warnings: readonly Warning[]
}
