import type { ErrorCode } from '../model/errors.ts'
import { createFailure } from '../model/failure.ts'
import type { AttemptResult } from './attempt-route.ts'

/** The codes of exchanges and programs that broke. Other codes come with an answer of the service. */
const BROKEN: readonly ErrorCode[] = ['NETWORK', 'SERVER', 'TIMEOUT', 'CANCELLED', 'UNKNOWN']
/** By then another gateway, or the next start, can serve. */
const RETRY_AFTER_MS = 1_000

/** The result of a call that the gateway itself broke off because it stops. The failure says nothing about the service. */
export function blameStop(result: AttemptResult, isCutOff: boolean): AttemptResult {
  if (result.ok || !isCutOff || !BROKEN.includes(result.failure.code)) return result
  const { writeOutcome, partial, details } = result.failure
  const failure = createFailure('SERVER', 'The gateway stopped before the service had answered.', {
    fallback: false,
    writeOutcome,
    partial,
    details,
    source: 'gateway',
    retryAfterMs: RETRY_AFTER_MS,
    retryAfterSource: 'default',
  })
  return { ...result, failure }
}
