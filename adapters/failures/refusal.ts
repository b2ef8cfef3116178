import { decide, toldByService } from './decide.ts'
import { withReturnTime } from './return-time.ts'
import { type Signals, signal } from './signals.ts'
import { type Verdict, verdict } from './verdict.ts'
import { type ErrorDocument, readErrorDocument } from './vocabulary/error-document.ts'
import type { Refusal } from './vocabulary/waits.ts'

/** An error document under a status of success: judged by what it says itself. */
export function refusalVerdict(signals: Signals, refusal: Refusal): Verdict {
  const document = readErrorDocument(refusal.body)
  const status = document?.status ? signal(document.status, 'body') : null
  const judged = withReturnTime(toldByService(decide({ ...signals, status })), refusal)
  return judged.code === 'UNKNOWN' ? ofBlame(document?.blames ?? null) : judged
}

/** A refusal without a known reason, by the party that it blames. */
function ofBlame(blames: ErrorDocument['blames']): Verdict {
  if (blames === 'caller') return verdict('VALIDATION')
  const writeOutcome = blames === 'service' ? 'unknown' : 'not_applied'
  return verdict('UNKNOWN', { fallback: false, writeOutcome })
}
