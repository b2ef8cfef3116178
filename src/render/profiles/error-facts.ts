import type { EnvelopeError } from '../../model/envelope.ts'

/** Stands for the capability in dialects that always name one, when a request reached none. */
export const GATEWAY = 'signalbox'

/** The facts that a caller needs before it sends a call again, without those that are null. */
export function retryFacts({ retryable, retry_after_ms, write_outcome }: EnvelopeError) {
  return {
    retryable,
    ...(retry_after_ms === null ? {} : { retry_after_ms }),
    ...(write_outcome === null ? {} : { write_outcome }),
  }
}
