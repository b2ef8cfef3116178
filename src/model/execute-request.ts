import type { Signal } from '../lib/signal.ts'
import type { Batch } from './adapter.ts'
import type { Caller } from './caller.ts'
import type { Route } from './route.ts'

/** A call of a capability, from whichever door it came. */
export interface ExecuteRequest {
  readonly capability: string
  readonly input: unknown
  readonly caller: Caller
  /** Given by the caller or the door; made here when absent. */
  readonly requestId?: string
  readonly route?: Route
  readonly timeoutMs?: number
  /** Members of `data` that will be told, comma-separated; checked before anything is sent. */
  readonly fields?: string
  /** The caller's own token for the upstream. */
  readonly upstreamToken?: string
  readonly traceparent?: string
  /** The batch that this call is one of. */
  readonly batch?: Batch
  /** At most 255 characters; makes a change happen once, however often it is asked for. */
  readonly idempotencyKey?: string
  /** Aborts when the caller goes away. */
  readonly signal?: Signal
}
