import { type Verdict, verdict } from './verdict.ts'
import { namesReturn, type Refusal } from './vocabulary/waits.ts'

/**
 * A refusal that names a time to come back is a limit, whatever it is called: the same call may succeed then. A
 * conflict that names one passes by itself. A missing credential or object does not come back.
 */
export function withReturnTime(judged: Verdict, refusal: Refusal): Verdict {
  if (judged.retryable) return judged
  switch (judged.code) {
    case 'FORBIDDEN':
    case 'VALIDATION':
    case 'UNKNOWN':
      if (!namesReturn(refusal)) return judged
      return verdict('RATE_LIMIT', { sharedFate: 'host', message: judged.message })
    case 'CONFLICT':
      return namesReturn(refusal) ? { ...judged, retryable: true } : judged
    default:
      return judged
  }
}
