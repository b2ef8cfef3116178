import type { Failure } from './failure.ts'
import type { Headers } from './headers.ts'
import type { Warning } from './warnings.ts'

/** A quota as an answer reported it. Times are epoch milliseconds. */
export interface QuotaReading {
  /** The pool's name if the upstream gives one, e.g. `core`; null means the card's pool. */
  readonly pool: string | null
  readonly limit: number | null
  readonly remaining: number
  readonly resetAt: number | null
}

/** The rights and the end of a credential, as an answer reported them. */
export interface Grant {
  readonly scopes: readonly string[] | null
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
}

/** Facts about an exchange with the upstream, for success and failure alike. */
export interface Exchange {
  /** HTTP status, or null where there was none (CLI, transport failure). */
  readonly upstreamStatus: number | null
  readonly upstreamRequestId: string | null
  /** Requests sent to the upstream during the attempt, lookups and further pages included. */
  readonly upstreamRequests: number
  readonly quota: QuotaReading | null
  /** Absent when the upstream does not report it. */
  readonly grant?: Grant
  /** Absent when the request served this call alone. */
  readonly shared?: SharedExchange
  /** The request that got the answer which this one's 304 confirms. */
  readonly confirms?: string
}

/** One request that served several calls of a batch. */
export interface SharedExchange {
  readonly calls: number
  /** True for one of the calls, so that the request counts once towards the upstream's health. */
  readonly isFirst: boolean
}

/** An adapter's answer. Result expressions see its `body`, `status` and `headers`. */
export type Reply =
  | GoodReply
  | { readonly ok: false; readonly failure: Failure; readonly exchange: Exchange }

export interface GoodReply {
  readonly ok: true
  readonly body: unknown
  readonly status: number | null
  readonly headers: Headers
  readonly warnings: readonly Warning[]
  /** The errors that came with partial GraphQL data. They count if the data breaks the output schema. */
  readonly partialFailure: Failure | null
  readonly exchange: Exchange
  /** The request that got it. Only replies that are kept have one. */
  readonly requestId?: string
}

/** The exchange of an attempt that sent nothing. */
export const NO_EXCHANGE: Exchange = {
  upstreamStatus: null,
  upstreamRequestId: null,
  upstreamRequests: 0,
  quota: null,
}
