/** The reason why a route was taken or skipped, in `meta.reason` and in skipped attempts. Closed set. */
export const REASONS = [
  'CARD_PREFERRED',
  'CARD_FALLBACK',
  'ROUTE_PINNED',
  'ROUTE_FAILED',
  'CLI_NOT_AVAILABLE',
  'CLI_UNAUTHENTICATED',
  'NO_CREDENTIAL',
  'ADAPTER_UNSUPPORTED',
  'INPUT_NOT_SERVED',
  'QUOTA_EXHAUSTED',
  'SHARED_FATE',
  'CIRCUIT_OPEN',
  'DEADLINE',
  'WRITE_OUTCOME_UNKNOWN',
  'RECOVERED',
  'CACHE_HIT',
  'REVALIDATED',
  'COALESCED',
  'IDEMPOTENT_REPLAY',
  'KEY_FORBIDDEN',
  'KEY_LIMIT',
  'APPROVAL_REQUIRED',
  'NOT_OFFERED',
  'INPUT_VALIDATION',
  'OUTPUT_VALIDATION',
] as const
export type Reason = (typeof REASONS)[number]

/** Why an attempt was made: it is part of the call, or a read that verifies a write. */
export const ATTEMPT_PURPOSES = ['call', 'verify'] as const
export type AttemptPurpose = (typeof ATTEMPT_PURPOSES)[number]

/** The decision after an attempt. */
export const DECISIONS = ['retry_same', 'next_route', 'give_up', 'verify'] as const
export type Decision = (typeof DECISIONS)[number]

/** How an attempt ended. */
export const ATTEMPT_STATUSES = ['success', 'error', 'skipped'] as const
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

/** `verify`: a read that checks whether a write was applied. */
export const PURPOSES = ['verify'] as const

/** The actions that an error can advise. */
export const NEXT_ACTIONS = [
  'retry',
  'wait',
  'fix_input',
  'reauth',
  'verify',
  'ask_human',
  'give_up',
] as const
