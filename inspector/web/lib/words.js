/** The closed sets of the API, in words. A member without words is a type error. */

/**
 * @typedef {import('../../../src/model/envelope.ts').Reason} Reason
 * @typedef {import('../../../src/model/envelope.ts').Decision} Decision
 * @typedef {import('../../../src/model/envelope.ts').EnvelopeError} EnvelopeError
 * @typedef {import('../../../src/model/errors.ts').ErrorCode} ErrorCode
 * @typedef {import('../../../src/model/outcome.ts').Route} Route
 * @typedef {import('../../../src/model/outcome.ts').WriteOutcome} WriteOutcome
 */

/** @type {readonly Route[]} */
export const ROUTES = ['rest', 'graphql', 'cli']

/** @type {Record<Reason, string>} */
export const REASONS = {
  CARD_PREFERRED: 'the first choice of its card',
  CARD_FALLBACK: 'the next choice, as an earlier one could not serve',
  ROUTE_PINNED: 'the caller asked for this route',
  ROUTE_FAILED: 'no route could serve',
  CLI_NOT_AVAILABLE: 'its program is not on this machine',
  CLI_UNAUTHENTICATED: 'its program has no credential',
  NO_CREDENTIAL: 'there is no credential for it',
  ADAPTER_UNSUPPORTED: 'it cannot do this here',
  INPUT_NOT_SERVED: 'it cannot serve this input',
  QUOTA_EXHAUSTED: 'its quota is used up',
  SHARED_FATE: 'it would fail for the same reason',
  CIRCUIT_OPEN: 'it failed repeatedly and is left alone for a while',
  DEADLINE: 'there was no time left for it',
  WRITE_OUTCOME_UNKNOWN: 'the change may have happened, so it was not sent again',
  RECOVERED: 'the change was found to have happened after all',
  CACHE_HIT: 'answered from memory',
  REVALIDATED: 'the upstream confirmed what was in memory',
  COALESCED: 'shared the call of an identical request',
  IDEMPOTENT_REPLAY: 'the stored answer to the same Idempotency-Key',
  INPUT_VALIDATION: 'the input is not valid',
  OUTPUT_VALIDATION: 'the answer does not fit the card',
}

/** @type {Record<ErrorCode, string>} */
export const CODES = {
  AUTH: 'credential missing or rejected',
  FORBIDDEN: 'not allowed',
  NOT_FOUND: 'not there',
  VALIDATION: 'input not valid',
  CONFLICT: 'conflict',
  TOO_LARGE: 'too large',
  RATE_LIMIT: 'quota used up',
  TIMEOUT: 'out of time',
  NETWORK: 'no connection',
  SERVER: 'upstream failed',
  NOT_READY: 'not ready yet',
  OUTPUT_INVALID: 'unreadable answer',
  ADAPTER_UNSUPPORTED: 'cannot be done here',
  CANCELLED: 'caller left',
  UNKNOWN: 'unknown',
}

/** @type {Record<Decision, string>} */
export const DECISIONS = {
  retry_same: 'try the same route again',
  next_route: 'go to the next route',
  give_up: 'give up',
  verify: 'find out whether it happened',
}

/** @type {Record<WriteOutcome, string>} */
export const WRITE_OUTCOMES = {
  not_applied: 'nothing was changed',
  unknown: 'it may have been changed',
  applied: 'it was changed',
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
  fix_input: 'Change the input.',
  reauth: 'Give the gateway a credential that works.',
  verify: 'Find out whether the change happened before anything is repeated.',
  ask_human: 'Ask a person: no other call will do better.',
  give_up: 'Do not repeat it: the answer would be the same.',
}

/**
 * A name from the record in words; one that this page does not know yet stays as it is.
 * @param {Record<string, string>} words
 * @param {string} name
 */
export function inWords(words, name) {
  return Object.hasOwn(words, name) ? /** @type {string} */ (words[name]) : name
}
