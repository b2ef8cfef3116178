import type { WriteOutcome } from '../../../src/model/errors.ts'
import { CODES, type ErrorCode } from '../../../src/model/errors.ts'
import type { SharedFate } from '../../../src/model/failure.ts'
import type { FailureRule } from '../../../src/model/failure-rule.ts'

/** What one answer means, before the words and the waiting time are added. */
export interface Verdict {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  readonly sharedFate: SharedFate | null
  /** Seconds to wait when the answer itself names no time; null when there is no reason to wait. */
  readonly waitS: number | null
  /** Replaces the upstream's own words, where those mislead or say too little. */
  readonly message: string | null
}

/** Seconds to wait before asking again when a limit names no time. */
export const DEFAULT_LIMIT_WAIT_S = 60
/** Seconds until something that is being computed may be ready. */
export const DEFAULT_READY_WAIT_S = 3

const DEFAULT_WAITS: Partial<Record<ErrorCode, number>> = {
  RATE_LIMIT: DEFAULT_LIMIT_WAIT_S,
  NOT_READY: DEFAULT_READY_WAIT_S,
}

export function verdict(code: ErrorCode, known: Partial<Omit<Verdict, 'code'>> = {}): Verdict {
  const { retryable, fallback, writeOutcome } = CODES[code]
  return {
    code,
    retryable,
    fallback,
    writeOutcome,
    sharedFate: null,
    waitS: DEFAULT_WAITS[code] ?? null,
    message: null,
    ...known,
  }
}

/** Applies what a rule says over the general verdict: a rule that names another code starts anew from it. */
export function applyRule({ outcome }: FailureRule, general: Verdict): Verdict {
  const base =
    outcome.code === undefined || outcome.code === general.code ? general : verdict(outcome.code)
  return {
    code: base.code,
    retryable: outcome.retryable ?? base.retryable,
    fallback: outcome.fallback ?? base.fallback,
    writeOutcome: outcome.write_outcome ?? base.writeOutcome,
    sharedFate: outcome.shared_fate ?? base.sharedFate,
    waitS: outcome.retry_after_s ?? base.waitS,
    message: outcome.message ?? base.message,
  }
}
