import type { FieldProblem } from './cards/card.ts'
import type { Next } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import type { Effect, WriteOutcome } from './outcome.ts'

/** All that the advice depends on. */
export interface Situation {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly effect: Effect | null
  /** Null when nothing can have been sent. */
  readonly writeOutcome: WriteOutcome | null
  readonly retryAfterMs: number | null
  readonly fields: readonly FieldProblem[]
  /** The call that finds out whether the write happened, if the card has one. */
  readonly verify: { readonly capability: string; readonly input: unknown } | null
}

/**
 * What the caller should do now. The first rule stands above all others: a write that may have happened
 * is never advised to be sent again, whatever the code says.
 */
export function adviseNext(situation: Situation): Next {
  if (mayHaveHappened(situation)) {
    return situation.verify ? { action: 'verify', ...situation.verify } : { action: 'ask_human' }
  }
  switch (situation.code) {
    case 'AUTH':
      return { action: 'reauth' }
    case 'FORBIDDEN':
      return { action: 'ask_human' }
    case 'NOT_FOUND':
    case 'VALIDATION':
    case 'TOO_LARGE':
      return { action: 'fix_input', fields: situation.fields.map(field => field.path) }
    case 'CONFLICT':
      return situation.retryable ? retryAfter(situation) : { action: 'fix_input', fields: [] }
    case 'RATE_LIMIT':
    case 'TIMEOUT':
    case 'NETWORK':
    case 'SERVER':
    case 'NOT_READY':
    case 'OUTPUT_INVALID':
    case 'UNKNOWN':
      return situation.retryable ? retryAfter(situation) : { action: 'ask_human' }
    case 'ADAPTER_UNSUPPORTED':
      return { action: 'ask_human' }
    case 'CANCELLED':
      return { action: 'give_up' }
  }
}

function mayHaveHappened({ effect, writeOutcome }: Situation): boolean {
  return effect === 'write' && (writeOutcome === 'unknown' || writeOutcome === 'applied')
}

function retryAfter({ retryAfterMs }: Situation): Next {
  return retryAfterMs === null
    ? { action: 'retry', after_ms: 1000 }
    : { action: 'wait', after_ms: retryAfterMs }
}
