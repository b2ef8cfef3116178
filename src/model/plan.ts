import type { Reason } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import type { Route } from './route.ts'

/** A route that may be tried, in order. */
export interface Candidate {
  readonly route: Route
  readonly reason: Reason
  readonly state?: RouteState
}

/** A route's quota and breaker at the time of the plan. */
export interface RouteState {
  /** Null when the card names none. */
  readonly pool: string | null
  /** As last reported; null when the upstream has not reported any. */
  readonly remaining: number | null
  /** RFC 3339, UTC. */
  readonly reset_at: string | null
  readonly breaker: 'closed' | 'open' | 'half_open'
}

/** A route that the plan skips, and why. */
export interface Skip {
  readonly route: Route
  readonly code: ErrorCode
  readonly reason: Reason
  readonly message: string
  readonly fix: string | null
  /** Milliseconds until the route may be usable again, if known. */
  readonly retry_after_ms: number | null
  readonly state?: RouteState
}

/** The routing decision for one request, before it sends anything. */
export interface Plan {
  readonly capability_id: string
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly Skip[]
}

/** The facts of a request that its plan depends on. */
export interface PlanRequest {
  /** Valid, and with defaults. */
  readonly input: Readonly<Record<string, unknown>>
  /** The caller's `?route=`. */
  readonly pin: Route | null
  /** The route that made the cursor in the input: no other can continue there. */
  readonly cursorRoute: Route | null
  readonly hasCredential: boolean
}
