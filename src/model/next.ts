import type { FieldProblem } from './card.ts'
import type { Next } from './envelope.ts'
import type { ErrorCode, WriteOutcome } from './errors.ts'
import type { Effect } from './route.ts'

/** Everything that the advice depends on. */
export interface Situation {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly effect: Effect | null
  /** Null when nothing was sent that could change anything. */
  readonly writeOutcome: WriteOutcome | null
  readonly retryAfterMs: number | null
  readonly fields: readonly FieldProblem[]
  /** The call that shows whether the write happened, if the card has one. */
  readonly verify: VerifyCall | null
}

/** A read that shows whether a change was made. */
export interface VerifyCall {
  readonly capability: string
  readonly input: unknown
}

/**
 * Advises the caller what to do now. The first rule overrides all others: never advise sending a write again that
 * may have happened, whatever the code says.
 */
export function adviseNext(situation: Situation): Next {
  if (mayHaveHappened(situation)) {
    return situation.verify ? { action: 'verify', ...situation.verify } : { action: 'ask_human' }
  }
  return ADVICE[situation.code](situation)
}

const ask = (): Next => ({ action: 'ask_human' })
const fix = ({ fields }: Situation): Next => ({
  action: 'fix_input',
  fields: fields.map(field => field.path),
})
const retryIfUseful = (situation: Situation): Next =>
  situation.retryable ? retryAfter(situation) : ask()

const ADVICE = {
  AUTH: () => ({ action: 'reauth' }),
  FORBIDDEN: ask,
  NOT_FOUND: fix,
  VALIDATION: fix,
  CONFLICT: situation => (situation.retryable ? retryAfter(situation) : fix(situation)),
  TOO_LARGE: fix,
  RATE_LIMIT: retryIfUseful,
  TIMEOUT: retryIfUseful,
  NETWORK: retryIfUseful,
  SERVER: retryIfUseful,
  NOT_READY: retryIfUseful,
  OUTPUT_INVALID: retryIfUseful,
  ADAPTER_UNSUPPORTED: ask,
  CANCELLED: () => ({ action: 'give_up' }),
  UNKNOWN: retryIfUseful,
} satisfies Record<ErrorCode, (situation: Situation) => Next>

function mayHaveHappened({ effect, writeOutcome }: Situation): boolean {
  return effect === 'write' && (writeOutcome === 'unknown' || writeOutcome === 'applied')
}

function retryAfter({ retryAfterMs }: Situation): Next {
  return retryAfterMs === null
    ? { action: 'retry', after_ms: 1000 }
    : { action: 'wait', after_ms: retryAfterMs }
}
