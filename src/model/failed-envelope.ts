import type { Card, FieldProblem } from './card.ts'
import type { Answer, EnvelopeError, Meta } from './envelope.ts'
import {
  CODES,
  type ErrorCode,
  type ErrorSource,
  type GatewayError,
  type WriteOutcome,
} from './errors.ts'
import { adviseNext, type VerifyCall } from './next.ts'
import type { Effect } from './route.ts'

/** The facts of an error. */
export interface FailureReport {
  readonly code: ErrorCode
  readonly message: string
  readonly source: ErrorSource
  /** @default what is usual for the code */
  readonly retryable?: boolean
  /** @default null */
  readonly retryAfterMs?: number | null
  /** @default none */
  readonly details?: Readonly<Record<string, unknown>>
  /** Effect of the capability; null when the request reached none. */
  readonly effect: Effect | null
  /** Ignored for reads. */
  readonly writeOutcome: WriteOutcome
  /** The call that shows whether the change was made. @default null */
  readonly verify?: VerifyCall | null
  /** Members of the input that may be at fault, where `details.fields` is missing. @default none */
  readonly suspects?: readonly FieldProblem[]
}

/** Builds the `error` member. No other place sets its members. */
export function describeFailure(report: FailureReport): EnvelopeError {
  const { code, message, source, effect, retryAfterMs = null, details = {} } = report
  const { retryable = CODES[code].retryable, verify = null, suspects = [] } = report
  const writeOutcome = effect === null || effect === 'read' ? null : report.writeOutcome
  const fields = (details.fields as readonly FieldProblem[] | undefined) ?? suspects
  return {
    code,
    message,
    retryable,
    retry_after_ms: retryAfterMs,
    source,
    write_outcome: writeOutcome,
    hint_id: CODES[code].hint,
    next: adviseNext({ code, retryable, effect, writeOutcome, retryAfterMs, fields, verify }),
    details,
  }
}

/** Builds `error` for a failure that the gateway decided on before it sent anything. */
export function describeGatewayError(error: GatewayError, effect: Effect | null): EnvelopeError {
  const { code, message, source, status, retryAfterMs, details } = error
  return describeFailure({
    code,
    message,
    source,
    // 503: the gateway is overloaded or draining, and will take the call later.
    ...(status === 503 ? { retryable: true } : {}),
    retryAfterMs,
    details,
    effect,
    writeOutcome: 'not_applied',
  })
}

/** Builds a failed answer. `status` is its HTTP status. */
export function failedAnswer(
  error: EnvelopeError,
  meta: Meta,
  status: number = CODES[error.code].status,
): Answer {
  return { envelope: { ok: false, data: null, error, meta }, status }
}

/** The call that shows whether a change was made, if the card has one. */
export function verifyCallOf(
  card: Card | null,
  input: Readonly<Record<string, unknown>> | null,
): VerifyCall | null {
  if (!card?.verify || !input) return null
  return { capability: card.verify.capability, input: card.verify.input({ input }) }
}
