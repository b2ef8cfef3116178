import type { WaitingApproval } from './approval.ts'

/**
 * The closed set of error codes. One table gives each code's HTTP status, its usual consequences, and the base
 * code for dialects that know only eight. Everything else derives from it.
 */

export type BaseCode =
  | 'AUTH'
  | 'NOT_FOUND'
  | 'VALIDATION'
  | 'RATE_LIMIT'
  | 'NETWORK'
  | 'SERVER'
  | 'ADAPTER_UNSUPPORTED'
  | 'UNKNOWN'

/** The known outcome of a write after an attempt. Only `not_applied` allows sending it again. */
export const WRITE_OUTCOMES = ['not_applied', 'unknown', 'applied'] as const
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number]

/**
 * The facts of one code. `retryable`, `fallback` and `writeOutcome` are the usual answers; a classifier overrides
 * them for a failure that it knows better (a conflict that is a race).
 */
export interface CodeFacts {
  /** HTTP status of the gateway's answer. */
  readonly status: number
  /** The same call could succeed later. */
  readonly retryable: boolean
  /** Another route could do better. */
  readonly fallback: boolean
  readonly writeOutcome: WriteOutcome
  readonly base: BaseCode
  readonly hint: string
  readonly meaning: string
}

export const CODES = {
  AUTH: {
    status: 502,
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'AUTH',
    hint: 'hint_auth_001',
    meaning: 'A credential is missing, rejected, expired, or lacks a scope or single sign-on.',
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'AUTH',
    hint: 'hint_forbidden_001',
    meaning: 'The credential is fine, but its principal may not do this.',
  },
  APPROVAL_REQUIRED: {
    status: 409,
    retryable: true,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'AUTH',
    hint: 'hint_approval_required_001',
    meaning: 'A person has to approve this call; send the same call again once that is done.',
  },
  NOT_FOUND: {
    status: 404,
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'NOT_FOUND',
    hint: 'hint_not_found_001',
    meaning: 'The thing does not exist, or this credential may not see it.',
  },
  VALIDATION: {
    status: 400,
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'VALIDATION',
    hint: 'hint_validation_001',
    meaning: 'The caller must change the input; details.fields says which.',
  },
  CONFLICT: {
    status: 409,
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'VALIDATION',
    hint: 'hint_conflict_001',
    meaning: 'It exists already, is stale, locked, or cannot be merged.',
  },
  TOO_LARGE: {
    status: 413,
    retryable: false,
    fallback: true,
    writeOutcome: 'not_applied',
    base: 'VALIDATION',
    hint: 'hint_too_large_001',
    meaning: 'The input or the answer is over a limit.',
  },
  RATE_LIMIT: {
    status: 429,
    retryable: true,
    fallback: false,
    writeOutcome: 'not_applied',
    base: 'RATE_LIMIT',
    hint: 'hint_rate_limit_001',
    meaning: 'A quota is used up; retry_after_ms says for how long.',
  },
  TIMEOUT: {
    status: 504,
    retryable: true,
    fallback: true,
    writeOutcome: 'unknown',
    base: 'NETWORK',
    hint: 'hint_timeout_001',
    meaning: 'A deadline passed here, or the upstream reported its own.',
  },
  NETWORK: {
    status: 502,
    retryable: true,
    fallback: true,
    writeOutcome: 'unknown',
    base: 'NETWORK',
    hint: 'hint_network_001',
    meaning: 'DNS, connect, TLS or the connection failed.',
  },
  SERVER: {
    status: 502,
    retryable: true,
    fallback: true,
    writeOutcome: 'unknown',
    base: 'SERVER',
    hint: 'hint_server_001',
    meaning: 'The upstream failed, or the gateway is overloaded or draining.',
  },
  NOT_READY: {
    status: 503,
    retryable: true,
    fallback: false,
    writeOutcome: 'unknown',
    base: 'SERVER',
    hint: 'hint_not_ready_001',
    meaning: 'Accepted, and still being computed.',
  },
  OUTPUT_INVALID: {
    status: 502,
    retryable: false,
    fallback: true,
    writeOutcome: 'unknown',
    base: 'UNKNOWN',
    hint: 'hint_output_invalid_001',
    meaning: 'The answer cannot be read, or breaks the output schema of the card.',
  },
  ADAPTER_UNSUPPORTED: {
    status: 501,
    retryable: false,
    fallback: true,
    writeOutcome: 'not_applied',
    base: 'ADAPTER_UNSUPPORTED',
    hint: 'hint_adapter_unsupported_001',
    meaning: 'No route can do this here: binary missing, flag unknown, not configured.',
  },
  CANCELLED: {
    status: 499,
    retryable: false,
    fallback: false,
    writeOutcome: 'unknown',
    base: 'UNKNOWN',
    hint: 'hint_cancelled_001',
    meaning: 'The caller went away before the answer.',
  },
  UNKNOWN: {
    status: 502,
    retryable: false,
    fallback: true,
    writeOutcome: 'unknown',
    base: 'UNKNOWN',
    hint: 'hint_unknown_001',
    meaning: 'None of the other codes fits.',
  },
} as const satisfies Record<string, CodeFacts>

export type ErrorCode = keyof typeof CODES

export const ERROR_CODES = Object.keys(CODES) as ErrorCode[]

/** The party that caused a failure. */
export const ERROR_SOURCES = ['caller', 'gateway', 'upstream'] as const
export type ErrorSource = (typeof ERROR_SOURCES)[number]

export interface GatewayErrorOptions extends ErrorOptions {
  source?: ErrorSource
  /** Overrides the usual status, for the few codes that have two. */
  status?: number
  /** Overrides the usual answer of the code. */
  retryable?: boolean
  /** Null where the change of an earlier request is at stake. @default not_applied: nothing was sent */
  writeOutcome?: WriteOutcome | null
  retryAfterMs?: number
  details?: Record<string, unknown>
  /** The approval that the call waits for. */
  approval?: WaitingApproval
}

/**
 * An error that the gateway itself raises, before or instead of an upstream's answer. The message says what
 * failed, for what, and what to do next.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  readonly source: ErrorSource
  readonly status: number
  readonly retryable: boolean
  readonly writeOutcome: WriteOutcome | null
  readonly retryAfterMs: number | null
  readonly details: Record<string, unknown>
  readonly approval: WaitingApproval | null

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.source = options.source ?? 'gateway'
    this.status = options.status ?? CODES[code].status
    // Overloaded or draining: the gateway itself will serve the call soon.
    this.retryable = options.retryable ?? (this.status === 503 || CODES[code].retryable)
    this.writeOutcome = options.writeOutcome === undefined ? 'not_applied' : options.writeOutcome
    this.retryAfterMs = options.retryAfterMs ?? null
    this.details = options.details ?? {}
    this.approval = options.approval ?? null
  }
}
