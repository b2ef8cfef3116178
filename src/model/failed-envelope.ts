import { boundedDetails } from '../lib/bounded.ts'
import { shorten } from '../lib/text.ts'
import type { WaitingApproval } from './approval.ts'
import type { FieldProblem } from './card.ts'
import type { Answer, EnvelopeError, Meta } from './envelope.ts'
import {
  CODES,
  type ErrorCode,
  type ErrorSource,
  type GatewayError,
  type WriteOutcome,
} from './errors.ts'
import { adviseNext, mayHaveHappened } from './next.ts'
import type { ReadCall } from './read-call.ts'
import type { Effect } from './route.ts'

const MAX_MESSAGE = 2000
/** The gateway itself could not begin the call, so nobody has to check whether it was applied. */
const BUSY_HINT = 'hint_server_002'

/** The facts of an error. */
export interface FailureReport {
  readonly code: ErrorCode
  readonly message: string
  readonly source: ErrorSource
  /** Whether the failure passes by itself. @default what is usual for the code */
  readonly transient?: boolean
  /** @default null */
  readonly retryAfterMs?: number | null
  /** @default the code's own */
  readonly hint?: string | undefined
  /** @default none */
  readonly details?: Readonly<Record<string, unknown>>
  /** Effect of the capability; null when the request reached none. */
  readonly effect: Effect | null
  /** Outcome of this request's own write; null if it sent none and an earlier one is at stake. Ignored for reads. */
  readonly writeOutcome: WriteOutcome | null
  /** The call that shows whether the change was made. @default null */
  readonly verify?: ReadCall | null
  /** The call that shows the state that a conflict is about. @default null */
  readonly shows?: ReadCall | null
  /** Members of the input, or options of the call, that the caller should change. @default none */
  readonly fields?: readonly string[]
  /** The approval that the call waits for. @default null */
  readonly approval?: WaitingApproval | null
}

/**
 * Builds the `error` member. No other place sets its members, so its promise holds in every dialect and at every
 * door: `retryable` means that this same call may be sent again.
 */
export function describeFailure(report: FailureReport): EnvelopeError {
  const { code, message, source, retryAfterMs = null, details = {}, fields = [] } = report
  const usual = CODES[code]
  const { transient = usual.retryable, verify = null, shows = null } = report
  const writeOutcome = outcomeOf(report)
  const retryable = transient && !mayHaveHappened(writeOutcome)
  const { approval = null } = report
  const situation = { code, retryable, writeOutcome, retryAfterMs, fields, verify, shows, approval }
  return {
    code,
    message: shorten(message, MAX_MESSAGE),
    retryable,
    retry_after_ms: retryAfterMs,
    source,
    write_outcome: writeOutcome,
    hint_id: report.hint ?? usualHint(report, retryable),
    next: adviseNext(situation),
    details: boundedDetails(details),
  }
}

function usualHint({ code, source }: FailureReport, retryable: boolean): string {
  return code === 'SERVER' && source === 'gateway' && retryable ? BUSY_HINT : CODES[code].hint
}

/** Only a change has an outcome. */
function outcomeOf({ effect, writeOutcome }: FailureReport): WriteOutcome | null {
  return effect === null || effect === 'read' ? null : writeOutcome
}

/**
 * Builds `error` for a failure that the gateway decided on before it sent anything.
 * @param fields what the caller should change; default: the error's own `details.fields`
 */
export function describeGatewayError(
  error: GatewayError,
  effect: Effect | null,
  fields: readonly string[] = [...new Set(problemsOf(error).map(({ path }) => path))],
): EnvelopeError {
  const { code, message, source, retryable, writeOutcome, retryAfterMs, details, approval } = error
  const facts = { code, message, source, transient: retryable, retryAfterMs, details, approval }
  return describeFailure({ ...facts, effect, writeOutcome, fields })
}

/** The problems with single members that the error lists. */
export function problemsOf({ details }: GatewayError): readonly FieldProblem[] {
  return (details.fields as readonly FieldProblem[] | undefined) ?? []
}

/** Builds a failed answer. `status` is its HTTP status. */
export function failedAnswer(
  error: EnvelopeError,
  meta: Meta,
  status: number = CODES[error.code].status,
): Answer {
  return { envelope: { ok: false, data: null, error, meta }, status }
}
