import type { Failure } from './failure.ts'
import type { Headers } from './headers.ts'
import type { Warning } from './warnings.ts'

/** What a pool's headers or body said about a quota. Times are epoch milliseconds. */
export interface QuotaReading {
  /** The upstream's own name of the pool when it gives one, e.g. `core`; else null: the card's pool. */
  readonly pool: string | null
  readonly limit: number | null
  readonly remaining: number
  readonly resetAt: number | null
}

/** Facts about the exchange that hold for success and failure alike. */
export interface Exchange {
  /** HTTP status, or null where there was none (CLI, transport failure). */
  readonly upstreamStatus: number | null
  readonly upstreamRequestId: string | null
  /** Requests sent upstream during the attempt: lookups and further pages count. */
  readonly upstreamRequests: number
  readonly quota: QuotaReading | null
  /** Absent when the request was made for this call alone. */
  readonly shared?: SharedExchange
}

/** One request that served several calls of a batch. */
export interface SharedExchange {
  readonly calls: number
  /** True for one of them: what the request says of the upstream's health counts once. */
  readonly isFirst: boolean
}

/** What an adapter answers. Result expressions see `body`, `status` and `headers`. */
export type Reply =
  | GoodReply
  | { readonly ok: false; readonly failure: Failure; readonly exchange: Exchange }

export interface GoodReply {
  readonly ok: true
  readonly body: unknown
  readonly status: number | null
  readonly headers: Headers
  readonly warnings: readonly Warning[]
  /** GraphQL data that came with errors: good only if the output schema holds, else this failure counts. */
  readonly partialFailure: Failure | null
  readonly exchange: Exchange
}

/** Nothing went over the wire. */
export const NO_EXCHANGE: Exchange = {
  upstreamStatus: null,
  upstreamRequestId: null,
  upstreamRequests: 0,
  quota: null,
}
