import type { Signal } from '../lib/signal.ts'
import type { Batch } from './adapter.ts'
import type { Caller } from './caller.ts'
import type { Answer } from './envelope.ts'
import type { MemoryUse } from './memory.ts'
import type { OptionNames } from './option-names.ts'
import type { Route } from './route.ts'

/** The place of a call in its batch. */
export interface BatchStep {
  /** The id of the call; its position, as calls[2], if it has none. */
  readonly name: string
  /** The position of its item; null without for_each. */
  readonly item: number | null
}

/** A call of a capability, the same for every door. */
export interface ExecuteRequest {
  readonly capability: string
  readonly input: unknown
  readonly caller: Caller
  /** Null for an optional member means that it is left out, unless its schema takes null. So models write it. */
  readonly leavesOutNulls?: boolean
  /** @default a new one */
  readonly requestId?: string
  /** The caller's own id for the call. The gateway only keeps it. */
  readonly correlationId?: string
  readonly route?: Route
  /** The deadline that the caller gave. */
  readonly timeoutMs?: number
  /** The remaining time of the batch or the call that this call is a part of. No option of the call itself. */
  readonly withinMs?: number
  /** Members of `data` to return, comma-separated. The pipeline checks them before it sends anything. */
  readonly fields?: string
  /** Wishes of the call itself about the form of its answer. The door applies it; the pipeline only records it. */
  readonly shown?: { readonly profile?: string; readonly tokenBudget?: number }
  /**
   * The answer that the door will give the caller for this one: a failure if it does not fit the caller's budget. Only the
   * record, metrics, traces and log tell it; the pipeline itself keeps, shares and returns the whole answer.
   * @default every answer fits
   */
  readonly fit?: (answer: Answer) => Answer
  /** The caller's own credential for the upstream. */
  readonly upstreamToken?: string
  /** The name of one of the gateway's own credentials. @default the upstream's default one */
  readonly credential?: string
  readonly traceparent?: string
  /** The batch that this call is one of. */
  readonly batch?: Batch
  /** Its place in the batch. */
  readonly step?: BatchStep
  /** At most 255 characters. The gateway makes a change once per key, however often it is requested. */
  readonly idempotencyKey?: string
  /** The id of an approval that a person has given for this call. */
  readonly approval?: string
  /** The caller's own reason for the call, for the person who approves it. */
  readonly reason?: string
  /** The door's names of these options, for errors. @default as in a batch */
  readonly optionNames?: OptionNames
  /** How far an answer from memory will do. @default not at all */
  readonly memory?: MemoryUse
  /** Aborts when the caller goes away. */
  readonly signal?: Signal
  /** Registers a function to call when the answer has been sent. @default called when the call ends */
  readonly onSent?: (release: () => void) => void
}
