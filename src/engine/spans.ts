import type { RequestRecord } from '../journal/journal.ts'
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
}

/** The spans of one request. They begin with their attempts, because services receive their ids. */
export interface RequestSpans {
  /**
   * Begins the span of an attempt.
   * @param startedMs milliseconds after the request began.
   * @returns the `traceparent` to hand on.
   */
  beginAttempt(upstream: string, route: Route, startedMs: number): string
  /** Fills in and ends all of them from the record of the finished request. */
  end(finished: RequestRecord): void
}
