/** Plain words for the closed sets of the API. A member without words is a type error. */

/**
 * @typedef {import('../../../src/model/reasons.ts').Reason} Reason
 * @typedef {import('../../../src/model/reasons.ts').Decision} Decision
 * @typedef {import('../../../src/model/envelope.ts').EnvelopeError} EnvelopeError
 * @typedef {import('../../../src/model/errors.ts').ErrorCode} ErrorCode
 * @typedef {import('../../../src/model/route.ts').Route} Route
 * @typedef {import('../../../src/model/errors.ts').WriteOutcome} WriteOutcome
 * @typedef {import('../../../src/model/request-outcome.ts').RequestOutcome} RequestOutcome
 */

/** @type {readonly Route[]} */
export const ROUTES = ['rest', 'graphql', 'cli']

/** @type {Record<Reason, string>} */
export const REASONS = {
  CARD_PREFERRED: 'the first choice of the card',
  CARD_FALLBACK: 'the next choice of the card, because an earlier one could not serve',
  ROUTE_PINNED: 'the caller asked for this route',
  ROUTE_FAILED: 'every route failed or was skipped',
  CLI_NOT_AVAILABLE: 'its program is not installed on the gateway',
  CLI_UNAUTHENTICATED: 'its program has no credential',
  NO_CREDENTIAL: 'it has no credential',
  ADAPTER_UNSUPPORTED: 'it does not support this call here',
  INPUT_NOT_SERVED: 'it does not support this input',
  QUOTA_EXHAUSTED: 'its quota is used up',
  SHARED_FATE: 'it would fail for the same reason',
  CIRCUIT_OPEN: 'it failed repeatedly, so its breaker is open',
  DEADLINE: 'the deadline left no time for it',
  WRITE_OUTCOME_UNKNOWN: 'the write may have been applied, so the gateway did not send it again',
  RECOVERED: 'a check showed that the write had been applied',
  CACHE_HIT: 'memory answered, because the caller allowed it',
  REVALIDATED: 'the upstream confirmed the cached answer',
  COALESCED: 'it shared the call of an identical request',
  IDEMPOTENT_REPLAY: 'the stored answer for the same Idempotency-Key',
  KEY_FORBIDDEN: 'the gateway key may not call this',
  NOT_OFFERED: 'the tools of the MCP connection leave it out',
  KEY_LIMIT: 'a limit of the gateway key is used up',
  APPROVAL_REQUIRED: 'a person has to approve the call',
  INPUT_VALIDATION: 'the call is not valid',
  OUTPUT_VALIDATION: 'the answer does not match the output schema of the card',
}

/** @type {Record<ErrorCode, string>} */
export const CODES = {
  AUTH: 'credential missing or rejected',
  FORBIDDEN: 'not allowed',
  APPROVAL_REQUIRED: 'waits for a person',
  NOT_FOUND: 'not found',
  VALIDATION: 'call not valid',
  CONFLICT: 'conflict',
  TOO_LARGE: 'too large',
  RATE_LIMIT: 'rate limit or quota used up',
  TIMEOUT: 'deadline reached',
  NETWORK: 'connection failed',
  SERVER: 'upstream failed',
  NOT_READY: 'not ready yet',
  OUTPUT_INVALID: 'answer not valid',
  ADAPTER_UNSUPPORTED: 'not supported here',
  CANCELLED: 'cancelled by the caller',
  UNKNOWN: 'unknown failure',
}

/** @type {Record<Decision, string>} */
export const DECISIONS = {
  retry_same: 'retry the same route',
  next_route: 'fall back to the next route',
  give_up: 'give up',
  verify: 'check whether the write was applied',
}

/** @type {Record<WriteOutcome, string>} */
export const WRITE_OUTCOMES = {
  not_applied: 'the write was not applied',
  unknown: 'the write may have been applied',
  applied: 'the write was applied',
}

/** @type {Record<RequestOutcome, string>} */
export const OUTCOMES = {
  first_try: 'answered on the first try',
  later_try: 'answered after a retry, fallback or skipped route',
  failed: 'failed',
  refused: 'refused before any route was tried',
}

/** @type {Record<EnvelopeError['source'], string>} */
export const SOURCES = {
  caller: 'the caller',
  gateway: 'the gateway',
  upstream: 'the upstream',
}

/** @type {Record<EnvelopeError['next']['action'], string>} */
export const ACTIONS = {
  retry: 'Send the same call again.',
  wait: 'Wait, then send the same call again.',
  fix_input: 'Change the call.',
  reauth: 'Give the gateway a valid credential.',
  verify: 'Check whether the write was applied before you send it again.',
  ask_human: 'Ask a person: sending the call again cannot help.',
  give_up: 'Do not send the call again: the answer would be the same.',
}

/**
 * The words for a name from a record. Returns the name itself if this page does not know it.
 * @param {Record<string, string>} words
 * @param {string} name
 */
export function inWords(words, name) {
  return Object.hasOwn(words, name) ? /** @type {string} */ (words[name]) : name
}
