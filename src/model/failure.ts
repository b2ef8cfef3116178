import { CODES, type ErrorCode, type WriteOutcome } from './errors.ts'

/**
 * What else would fail for the same reason: every route that draws on the same `pool`, talks to the
 * same `host`, or presents the same `credential`.
 */
export type SharedFate = 'pool' | 'host' | 'credential'

/**
 * What one failed attempt means. The three questions are separate on purpose: could it succeed later
 * (`retryable`), could another route do better (`fallback`), may this write be sent again (`writeOutcome`).
 */
export interface Failure {
  readonly code: ErrorCode
  /** For the caller: one or two sentences, without secrets. */
  readonly message: string
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  /** Milliseconds to wait before a retry can help; null when the upstream gave no reason to wait. */
  readonly retryAfterMs: number | null
  readonly retryAfterSource: 'header' | 'reset' | 'body' | 'default' | null
  /** Some of the data, or of the work, is there. */
  readonly partial: boolean
  readonly sharedFate: SharedFate | null
  /** Structured facts for `error.details`, e.g. `fields` or the upstream's own code. No secrets. */
  readonly details: Record<string, unknown>
}

/** A failure with what is usual for its code; `known` overrides it. */
export function createFailure(
  code: ErrorCode,
  message: string,
  known: Partial<Omit<Failure, 'code' | 'message'>> = {},
): Failure {
  const { retryable, fallback, writeOutcome } = CODES[code]
  return {
    code,
    message,
    retryable,
    fallback,
    writeOutcome,
    retryAfterMs: null,
    retryAfterSource: null,
    partial: false,
    sharedFate: null,
    details: {},
    ...known,
  }
}
