import type { ErrorCode } from './errors.ts'
import type { Warning } from './warnings.ts'

export type { Warning }

/** A way to reach the upstream. */
export type Route = 'cli' | 'graphql' | 'rest'

export const ROUTES = ['rest', 'graphql', 'cli'] as const satisfies readonly Route[]

/** What repeating a call does: nothing (`read`), the same state again (`idempotent`), or harm (`write`). */
export type Effect = 'read' | 'idempotent' | 'write'

/** What is known about a write after an attempt. Only `not_applied` allows it to be sent again. */
export type WriteOutcome = 'not_applied' | 'unknown' | 'applied'

/**
 * What else would fail for the same reason: every route that draws on the same `pool`, talks to the
 * same `host`, or presents the same `credential`.
 */
export type SharedFate = 'pool' | 'host' | 'credential'

/**
 * What one failed attempt means. The three questions are separate on purpose: could it succeed later
 * (`retryable`), could another route do better (`fallback`), may this write be sent again (`writeOutcome`).
 */
export interface Failure {
  readonly code: ErrorCode
  /** For the caller: one or two sentences, without secrets. */
  readonly message: string
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  /** Milliseconds to wait before a retry can help; null when the upstream gave no reason to wait. */
  readonly retryAfterMs: number | null
  readonly retryAfterSource: 'header' | 'reset' | 'body' | 'default' | null
  /** Some of the data, or of the work, is there. */
  readonly partial: boolean
  readonly sharedFate: SharedFate | null
  /** Structured facts for `error.details`, e.g. `fields` or the upstream's own code. No secrets. */
  readonly details: Record<string, unknown>
}

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
  | {
      readonly ok: true
      readonly body: unknown
      readonly status: number | null
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      readonly warnings: readonly Warning[]
      /** GraphQL data that came with errors: good only if the output schema holds, else this failure counts. */
      readonly partialFailure: Failure | null
      readonly exchange: Exchange
    }
  | { readonly ok: false; readonly failure: Failure; readonly exchange: Exchange }
