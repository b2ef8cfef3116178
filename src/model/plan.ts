import type { Reason } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import type { Route } from './route.ts'

/** A route that may be tried, in order. */
export interface Candidate {
  readonly route: Route
  readonly reason: Reason
  readonly state?: RouteState
}

/** What was known of a route's quota and breaker when the plan was made. */
export interface RouteState {
  /** Null when the card names none. */
  readonly pool: string | null
  /** As last reported; null when the upstream has not told. */
  readonly remaining: number | null
  /** RFC 3339, UTC. */
  readonly reset_at: string | null
  readonly breaker: 'closed' | 'open' | 'half_open'
}

/** A route that will not be tried, and why. */
export interface Skip {
  readonly route: Route
  readonly code: ErrorCode
  readonly reason: Reason
  readonly message: string
  readonly fix: string | null
  /** When it could be tried again, as far as that is known. */
  readonly retry_after_ms: number | null
  readonly state?: RouteState
}

/** The routing decision for one request, made before anything is sent. */
export interface Plan {
  readonly capability_id: string
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly Skip[]
}

/** What a plan is made for. */
export interface PlanRequest {
  /** Checked, and with defaults. */
  readonly input: Readonly<Record<string, unknown>>
  /** The caller's `?route=`. */
  readonly pin: Route | null
  /** The route that made the cursor in the input: only it can go on there. */
  readonly cursorRoute: Route | null
  readonly hasCredential: boolean
}
