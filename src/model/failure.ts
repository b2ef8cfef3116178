import { CODES, type ErrorCode, type WriteOutcome } from './errors.ts'

/**
 * Names the routes that would fail for the same reason: those that draw on the same `pool`, talk to the same
 * `host`, or present the same `credential`.
 */
export type SharedFate = 'pool' | 'host' | 'credential'

/**
 * A failed attempt, classified. Three questions have separate answers: could it succeed later (`retryable`), could
 * another route do better (`fallback`), may this write be sent again (`writeOutcome`).
 */
export interface Failure {
  readonly code: ErrorCode
  /** For the caller: one or two sentences, without secrets. */
  readonly message: string
  readonly retryable: boolean
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  /** Milliseconds to wait before a retry; null when the upstream gave no reason to wait. */
  readonly retryAfterMs: number | null
  readonly retryAfterSource: 'header' | 'reset' | 'body' | 'default' | null
  /** Part of the data arrived, or part of the work was done. */
  readonly partial: boolean
  readonly sharedFate: SharedFate | null
  /** Structured facts for `error.details`, e.g. `fields` or the upstream's own code. No secrets. */
  readonly details: Record<string, unknown>
}

/** A failure with the usual answers of its code; `known` overrides them. */
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
