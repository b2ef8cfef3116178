import type { Hold } from '../lib/byte-budget.ts'
import type { Attempt } from './envelope.ts'
import type { Failure } from './failure.ts'
import type { Reason } from './reasons.ts'
import type { Route } from './route.ts'
import type { Warning } from './warnings.ts'

/** How a request ended, before any dialect renders it. */
export type Outcome =
  | {
      readonly ok: true
      readonly data: unknown
      readonly route: Route
      readonly reason: Reason
      /** The request whose answer the upstream has confirmed. */
      readonly confirms?: string
    }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly route: Route | null
      readonly reason: Reason
    }

/** Whether a write of unknown outcome has happened after all. */
export type Verdict =
  | { readonly kind: 'found'; readonly data: unknown }
  /** Certainly not there: sending the write again is safe. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** A finished run, as callers who shared it receive it. */
export interface RunResult {
  /** Id of the request that began it. */
  readonly requestId: string
  readonly outcome: Outcome
  readonly attempts: readonly Attempt[]
  readonly warnings: readonly Warning[]
  /** The bytes of its answers. */
  readonly held: Hold
}
