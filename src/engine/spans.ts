import type { RequestRecord } from '../journal/journal.ts'
import type { SentRequest } from '../model/adapter.ts'
import type { Route } from '../model/route.ts'

/** Exports spans of requests and their attempts. */
export interface Tracing extends AsyncDisposable {
  /** Begins the span of a request, as a child of the caller's span if it names one. */
  begin(request: TracedRequest): RequestSpans
}

export interface TracedRequest {
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** The caller's header, unchecked. */
  readonly traceparent: string | null
  readonly requestId: string
}

/** The spans of one request. They begin with their attempts, because services receive their ids. */
export interface RequestSpans {
  readonly traceId: string
  /**
   * Begins the span of an attempt.
   * @param startedMs milliseconds after the request began.
   */
  beginAttempt(upstream: string, route: Route, startedMs: number): AttemptSpan
  /** Fills in and ends all of them from the record of the finished request. */
  end(finished: RequestRecord): void
}

/** The span of an attempt that runs. */
export interface AttemptSpan {
  /** To hand on, so that the spans of the service hang below this one. */
  readonly traceparent: string
  /**
   * Takes the last request of the attempt, which is the main one: lookups and earlier pages come before it.
   * @param secrets to be removed from its address
   */
  readonly sent: (request: SentRequest, secrets: readonly string[]) => void
}
