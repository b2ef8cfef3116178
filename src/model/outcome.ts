import type { Reason } from './envelope.ts'
import type { Failure } from './failure.ts'
import type { Route } from './route.ts'

/** How a request ended, before it is told in any dialect. */
export type Outcome =
  | { readonly ok: true; readonly data: unknown; readonly route: Route; readonly reason: Reason }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly route: Route | null
      readonly reason: Reason
    }

/** Whether a write whose outcome is unknown has happened after all. */
export type Verdict =
  | { readonly kind: 'found'; readonly data: unknown }
  /** Surely not there: it may be sent again. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }
