import type { Reason } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import type { Route } from './outcome.ts'

/** A route that may be tried, in order. */
export interface Candidate {
  readonly route: Route
  readonly reason: Reason
}

/** A route that will not be tried, and why. */
export interface Skip {
  readonly route: Route
  readonly code: ErrorCode
  readonly reason: Reason
  readonly message: string
  readonly fix: string | null
}

/** The routing decision for one request, made before anything is sent. */
export interface Plan {
  readonly capability_id: string
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly Skip[]
}
