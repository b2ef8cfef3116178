import type { WaitingApproval } from './approval.ts'
import type { Next } from './envelope.ts'
import type { ErrorCode, WriteOutcome } from './errors.ts'
import type { ReadCall } from './read-call.ts'

/** Everything that the advice depends on. */
export interface Situation {
  readonly code: ErrorCode
  /** The same call may be sent again. */
  readonly retryable: boolean
  /** Null for reads, and when nothing was sent that could change anything. */
  readonly writeOutcome: WriteOutcome | null
  readonly retryAfterMs: number | null
  /** Members of the input, or options of the call, that may be at fault. */
  readonly fields: readonly string[]
  /** The call that shows whether the write happened, if the card has one. */
  readonly verify: ReadCall | null
  /** The call that shows the state that a conflict is about, or how accepted work went on, if there is one. */
  readonly shows: ReadCall | null
  /** The approval that the call waits for. @default null */
  readonly approval?: WaitingApproval | null
}

/** Whether a change may have been made: sending it again could make it twice. */
export function mayHaveHappened(writeOutcome: WriteOutcome | null): boolean {
  return writeOutcome === 'unknown' || writeOutcome === 'applied'
}

/**
 * Advises the caller what to do now. The first rule overrides all others: never advise sending a change again that
 * may have happened, whatever the code says.
 */
export function adviseNext(situation: Situation): Next {
  if (mayHaveHappened(situation.writeOutcome)) {
    return situation.verify ? { action: 'verify', ...situation.verify } : { action: 'ask_human' }
  }
  return ADVICE[situation.code](situation)
}

const ask = (): Next => ({ action: 'ask_human' })
/** Without a member to name there is nothing that the caller could change. */
const fix = ({ fields }: Situation): Next =>
  fields.length === 0 ? ask() : { action: 'fix_input', fields }
const retryIfUseful = (situation: Situation): Next =>
  situation.retryable ? retryAfter(situation) : ask()
const lookLater = (situation: Situation): Next => ({
  ...retryIfUseful(situation),
  ...situation.shows,
})
const resolve = (situation: Situation): Next => {
  if (situation.retryable) return retryAfter(situation)
  const next = fix(situation)
  return situation.shows ? { ...next, ...situation.shows } : next
}

const ADVICE = {
  AUTH: () => ({ action: 'reauth' }),
  FORBIDDEN: ask,
  APPROVAL_REQUIRED: situation => ({ ...retryIfUseful(situation), ...situation.approval }),
  NOT_FOUND: fix,
  VALIDATION: fix,
  CONFLICT: resolve,
  TOO_LARGE: fix,
  RATE_LIMIT: retryIfUseful,
  TIMEOUT: retryIfUseful,
  NETWORK: retryIfUseful,
  SERVER: retryIfUseful,
  NOT_READY: lookLater,
  OUTPUT_INVALID: retryIfUseful,
  ADAPTER_UNSUPPORTED: fix,
  CANCELLED: () => ({ action: 'give_up' }),
  UNKNOWN: retryIfUseful,
} satisfies Record<ErrorCode, (situation: Situation) => Next>

function retryAfter({ retryAfterMs }: Situation): Next {
  return retryAfterMs === null
    ? { action: 'retry', after_ms: 1000 }
    : { action: 'wait', after_ms: retryAfterMs }
}
