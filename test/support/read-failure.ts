import type { Next } from '../../src/model/envelope.ts'
import type { WriteOutcome } from '../../src/model/errors.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- each dialect has a form of its own
type Body = any

/** The facts in a failed answer from which a caller decides what to do. */
export interface ReadFailure {
  readonly retry: boolean
  readonly outcome: WriteOutcome | null
  readonly waitMs: number | null
  /** Null in an answer that a small budget cut. */
  readonly next: Next | null
}

/** Reads a failure as a caller would who knows only the dialect's own document. Null for a success. */
export function readFailure(profile: ProfileName, body: Body): ReadFailure | null {
  const error = errorOf(profile, body)
  if (error === null || error === undefined) return null
  if (profile === 'compact') {
    return factsOf({ retry: error.retry, outcome: error.outcome, wait: error.wait_ms, ...error })
  }
  const { details = {} } = error
  const within = profile === 'ghx' || profile === 'codegraph' || profile === 'dotbot'
  const { write_outcome, retry_after_ms, next } = within ? details : error
  const retry = (within && profile !== 'ghx' ? details : error).retryable
  return factsOf({ retry, outcome: write_outcome, wait: retry_after_ms, next })
}

/** The object in which the dialect describes a failure. */
export function errorOf(profile: ProfileName, body: Body): Body {
  switch (profile) {
    case 'compact':
      return body.err
    case 'codegraph':
      return body.data.result.error
    case 'dotbot':
      return body.errors[0]
    case 'problem':
      return typeof body.type === 'string' && 'retryable' in body ? body : null
    default:
      return body.error
  }
}

function factsOf({ retry, outcome = null, wait = null, next = null }: Body): ReadFailure {
  return { retry, outcome, waitMs: wait, next }
}
