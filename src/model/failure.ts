import { CODES, type ErrorCode } from './errors.ts'
import type { Exchange, Failure } from './outcome.ts'

/** A failure with the usual answers of its code; what is known better is given. */
export function createFailure(
  code: ErrorCode,
  message: string,
  known: Partial<Omit<Failure, 'code' | 'message'>> = {},
): Failure {
  return {
    code,
    message,
    retryable: CODES[code].retryable,
    fallback: false,
    writeOutcome: 'not_applied',
    retryAfterMs: null,
    retryAfterSource: null,
    partial: false,
    sharedFate: null,
    details: {},
    ...known,
  }
}

/** Nothing went over the wire. */
export const NO_EXCHANGE: Exchange = {
  upstreamStatus: null,
  upstreamRequestId: null,
  upstreamRequests: 0,
  quota: null,
}
