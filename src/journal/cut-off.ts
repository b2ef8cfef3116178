/**
 * Requests whose gateway died before it answered. Both columns hold a number in each row, so their duration is 0, as no other write
 * of unknown outcome has. Older versions wrote the status 502, which nobody sent.
 */
import type { RequestColumns } from './columns.ts'

const REASON = 'WRITE_OUTCOME_UNKNOWN'

export function wasCutOff({
  reason,
  duration_ms,
}: Pick<RequestColumns, 'reason' | 'duration_ms'>): boolean {
  return reason === REASON && duration_ms === 0
}

/** The same as SQL. */
export const CUT_OFF = `(requests.reason = '${REASON}' AND requests.duration_ms = 0)`
