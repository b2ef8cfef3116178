import { ulidToUUID } from 'ulid'

/** A `traceparent` of W3C Trace Context. Later versions may have more parts. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?$/
const ZEROS = /^0+$/

/** The trace that a caller's header names; null for a header that is missing or invalid. */
export function traceIdOf(traceparent: string | null | undefined): string | null {
  const [, trace = '', parent = ''] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return trace === '' || ZEROS.test(trace) || ZEROS.test(parent) ? null : trace
}

/** The trace of a request whose caller names none: its own id in hexadecimal, so that either leads to the other. */
export function ownTraceId(requestId: string): string {
  return ulidToUUID(requestId).replaceAll('-', '').toLowerCase()
}
