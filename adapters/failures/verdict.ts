import { CODES, type ErrorCode, type WriteOutcome } from '../../src/model/errors.ts'
import type { SharedFate } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'

/** The judgement of one answer, before the message and the wait are added. */
export interface Verdict {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  readonly sharedFate: SharedFate | null
  /** Seconds to wait if the answer announces no wait; null if there is no reason to wait. */
  readonly waitS: number | null
  /** Replaces the upstream's message where that would mislead or says too little. */
  readonly message: string | null
  /** The id of a hint; null for the usual one of the code. */
  readonly hint: string | null
  /** The members of the input that a rule names. */
  readonly members: readonly string[]
}

/** Seconds to wait if the answer announces no wait. */
const DEFAULT_WAITS_S: Partial<Record<ErrorCode, number>> = { RATE_LIMIT: 60, NOT_READY: 3 }

export function verdict(code: ErrorCode, known: Partial<Omit<Verdict, 'code'>> = {}): Verdict {
  const { retryable, fallback, writeOutcome } = CODES[code]
  return {
    code,
    retryable,
    fallback,
    writeOutcome,
    sharedFate: null,
    waitS: DEFAULT_WAITS_S[code] ?? null,
    message: null,
    hint: null,
    members: [],
    ...known,
  }
}

/** Overrides the general verdict with a rule's outcome. A rule with another code starts from that code's defaults. */
export function applyRule({ outcome }: FailureRule, general: Verdict): Verdict {
  const base =
    outcome.code === undefined || outcome.code === general.code ? general : verdict(outcome.code)
  const { hint, members, message } = { ...base, ...outcome }
  return {
    code: base.code,
    retryable: outcome.retryable ?? base.retryable,
    fallback: outcome.fallback ?? base.fallback,
    writeOutcome: outcome.write_outcome ?? base.writeOutcome,
    sharedFate: outcome.shared_fate ?? base.sharedFate,
    waitS: outcome.retry_after_s ?? base.waitS,
    message,
    hint,
    members,
  }
}
