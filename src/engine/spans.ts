import type { RequestRecord } from '../journal/journal.ts'
import type { Route } from '../model/route.ts'

/** Tells a collector of requests and their attempts. */
export interface Tracing extends AsyncDisposable {
  /** Begins the span of a request, under the span that its caller names. */
  begin(request: TracedRequest): RequestSpans
}

export interface TracedRequest {
  /** Epoch milliseconds at which it began. */
  readonly time: number
  /** As the caller gave it. */
  readonly traceparent: string | null
}

/** The spans of one request. They exist before they can be told, as services are given their ids. */
export interface RequestSpans {
  /**
   * Begins the span of an attempt.
   * @param startedMs milliseconds after the request began.
   * @returns the `traceparent` to hand on.
   */
  beginAttempt(upstream: string, route: Route, startedMs: number): string
  /** Tells and ends all of them, by the one record of the finished request. */
  end(finished: RequestRecord): void
}
