import type { Attempt } from './envelope.ts'
import type { ErrorCode } from './errors.ts'

/** How metrics, spans and stats count an attempt: its status, or the code of its error. */
export function outcomeOf({ status, error_code }: Attempt): 'success' | 'skipped' | ErrorCode {
  return status === 'error' ? (error_code ?? 'UNKNOWN') : status
}
