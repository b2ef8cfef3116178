/** Says why a request was refused before any route was tried, and what stopped it. */
import { CODES, inWords, REASONS } from '../lib/words.js'
import { reachedRoutes } from './form.js'

/** @typedef {Pick<import('../../../src/journal/row-schemas.ts').RequestDetail, 'reason' | 'code' | 'error' | 'meta' | 'http_status'>} Refused */

/** @param {Refused} request */
export function refusalOf(request) {
  const { reason, code } = request
  if (isUnknownCaller(request)) return 'it had no valid key or token for the gateway'
  return exceptionOf(request) ?? (reason ? inWords(REASONS, reason) : inWords(CODES, code ?? ''))
}

/**
 * A refusal that the reason alone would describe wrongly.
 * @param {Refused} request
 */
function exceptionOf(request) {
  const { decided_by: person, used_by: user, held_since: held } = request.error?.details ?? {}
  if (typeof person === 'string') return `${person} was asked to approve it, and refused`
  if (user) return 'its approval was used before'
  if (held) return 'another request holds its Idempotency-Key'
  if (isOnlyFromMemory(request)) return 'memory has no answer that it may use'
  return BATCH[failedBefore(request) ?? '']?.why ?? null
}

/** @type {Readonly<Record<string, { why: string, gate: string }>>} */
const BATCH = {
  needs: {
    why: 'a call of its batch that it needs failed',
    gate: 'an earlier call of its batch, which failed',
  },
  stop_on_error: {
    why: 'an earlier call of its batch failed, and stop_on_error is set',
    gate: 'stop_on_error: an earlier call of its batch failed',
  },
}

/**
 * The option of a batch by which an earlier call stopped this one.
 * @param {Refused} request
 */
function failedBefore({ code, reason, error }) {
  const fields = /** @type {{ path: string }[] | undefined} */ (error?.details.fields)
  if (code !== 'CONFLICT' || reason !== null) return undefined
  return fields?.map(({ path }) => path).find(path => Object.hasOwn(BATCH, path))
}

/**
 * A call with only-if-cached that found nothing has this status, which no other invalid call has.
 * @param {Refused} request
 */
function isOnlyFromMemory({ code, http_status }) {
  return code === 'VALIDATION' && http_status === 504
}

/**
 * A credential for a service that is missing or refused has a reason.
 * @param {Refused} request
 */
function isUnknownCaller({ code, reason }) {
  return code === 'AUTH' && reason === null
}

/** @type {Readonly<Record<string, string>>} */
const GATES = {
  KEY_FORBIDDEN: 'the rights of the key',
  NOT_OFFERED: 'the selection of tools of its MCP connection',
  KEY_LIMIT: 'a limit of the key',
  INPUT_VALIDATION: 'the check of the call',
  APPROVAL_REQUIRED: 'an approval that was used before, or that a person refused',
  DEADLINE: 'its deadline',
}

const HELD = {
  running: 'its Idempotency-Key: the first request with it was still running',
  other: 'its Idempotency-Key, which another request holds, with another input or credential',
}

/**
 * @param {Refused} request
 * @returns {string}
 */
export function gateOf(request) {
  const { reason, code, error } = request
  if (error?.details.held_since) return HELD[code === 'CONFLICT' ? 'running' : 'other']
  if (isOnlyFromMemory(request)) return 'only-if-cached: memory has no answer that it may use'
  if (isUnknownCaller(request)) return 'the gateway, which does not know the caller'
  if (reason && Object.hasOwn(GATES, reason)) return /** @type {string} */ (GATES[reason])
  const before = failedBefore(request)
  if (before) return /** @type {{ gate: string }} */ (BATCH[before]).gate
  if (reachedRoutes(request)) return 'the plan, which skipped every route'
  return otherGate(reason, code)
}

/**
 * @param {Refused['reason']} reason
 * @param {Refused['code']} code
 */
function otherGate(reason, code) {
  if (code === 'SERVER') return 'the gateway, which could not take it at that moment'
  return reason ? inWords(REASONS, reason) : `the gateway: ${inWords(CODES, code ?? '')}`
}
