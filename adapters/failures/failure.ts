import { redactValue } from '../../src/lib/redact.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Headers } from '../../src/model/headers.ts'
import { presentable } from './read/presentable.ts'
import { readQuota } from './read/quota.ts'
import type { Verdict } from './verdict.ts'
import { announcedWait, type Wait, waitForReset } from './vocabulary/waits.ts'

/** The parts of a failure that its verdict does not hold. */
export interface FailureContext {
  readonly headers: Headers
  readonly body: unknown
  /** One sentence about the failure. May quote the upstream. */
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly partial?: boolean
  /** A wait computed from the service's figures, for when the answer announces none. */
  readonly computedWait?: Wait | null
  /** Texts to redact from message and details. */
  readonly secrets: readonly string[]
  readonly now: number
}

export function toFailure(verdict: Verdict, context: FailureContext): Failure {
  const wait = verdict.retryable ? waitOf(verdict, context) : null
  return {
    code: verdict.code,
    message: presentable(context.message, context.secrets),
    retryable: verdict.retryable,
    fallback: verdict.fallback,
    writeOutcome: verdict.writeOutcome,
    retryAfterMs: wait === null ? null : Math.round(wait.ms),
    retryAfterSource: wait?.source ?? null,
    partial: context.partial ?? false,
    sharedFate: verdict.sharedFate,
    ...(verdict.hint === null ? {} : { hint: verdict.hint }),
    ...(verdict.members.length === 0 ? {} : { members: verdict.members }),
    details: redactValue(context.details, context.secrets) as Record<string, unknown>,
  }
}

/** The same failure after part of the work was applied: the call must not be sent again. */
export function afterAppliedWork(failure: Failure): Failure {
  return {
    ...failure,
    retryable: false,
    fallback: false,
    writeOutcome: 'applied',
    retryAfterMs: null,
    retryAfterSource: null,
    partial: true,
    sharedFate: null,
  }
}

/** The same failure after several steps began, so that an earlier one may be done: see `afterAppliedWork`. */
export function afterSeveralSteps(failure: Failure): Failure {
  return { ...afterAppliedWork(failure), writeOutcome: 'unknown' }
}

/**
 * Prefers the wait that the answer announces. The quota's reset time counts only for RATE_LIMIT, and
 * only if that quota is the one that ran out.
 */
function waitOf({ code, sharedFate, waitS }: Verdict, context: FailureContext): Wait | null {
  const { headers, body, message, now, computedWait } = context
  const announced = announcedWait(headers, body, now, [message]) ?? computedWait
  if (announced) return announced
  if (code === 'RATE_LIMIT') {
    const quota = readQuota(headers, now)
    const exhausted = sharedFate === 'pool' || quota === null || quota.remaining === 0
    const reset = exhausted ? waitForReset(headers, now) : null
    if (reset) return reset
  }
  return waitS === null ? null : { ms: waitS * 1000, source: 'default' }
}
