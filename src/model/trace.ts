import type { Attempt, Decision } from './envelope.ts'
import type { Failure } from './failure.ts'
import type { Route } from './route.ts'

/**
 * The facts behind the decisions about one request, apart from its plan: enough to replay them. The journal keeps
 * it, without messages and details of failures, since no decision depends on those.
 */
export interface Trace {
  /** The caller's `?route=`, and the route that made the cursor in the input. */
  readonly pin: Route | null
  readonly cursor_route: Route | null
  readonly has_credential: boolean
  /** The deadline of the whole request. */
  readonly timeout_ms: number
  readonly policy: {
    readonly attempt_timeout_ms: number
    readonly reserve_ms: number
    readonly retries: number
  }
  /** In the order of events. */
  readonly steps: readonly TraceStep[]
}

/** An attempt with its result, or the verdict about a write of unknown outcome. */
export type TraceStep =
  | {
      readonly kind: 'attempt'
      /** For a verifying read, its own capability instead of the request's. */
      readonly capability_id: string
      readonly route: Route
      readonly started_ms: number
      readonly duration_ms: number
      /** Null for a success. */
      readonly failure: FailureFacts | null
      readonly upstream_status: number | null
      readonly next: Decision | null
    }
  | { readonly kind: 'verdict'; readonly verdict: 'found' | 'absent' | 'unknown' }

export type FailureFacts = Omit<Failure, 'message' | 'details'>

/** The trace step of an attempt; `failure` is null for a success. */
export function toStep(
  capability: string,
  attempt: Attempt,
  failure: FailureFacts | null,
): TraceStep {
  return {
    kind: 'attempt',
    capability_id: capability,
    route: attempt.route,
    started_ms: attempt.started_ms ?? 0,
    duration_ms: attempt.duration_ms ?? 0,
    failure,
    upstream_status: attempt.upstream_status ?? null,
    next: attempt.next ?? null,
  }
}
