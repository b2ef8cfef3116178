/** Decides which form the picture of a request has: how the gateway came by the answer, and what it sent for that. */
import { inWords, REASONS } from '../lib/words.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../../../src/model/envelope.ts').Attempt} Attempt
 * @typedef {import('../../../src/model/answer-from.ts').Borrowing} Borrowing
 * @typedef {'sent' | 'replayed' | 'coalesced' | 'memory' | 'stale' | 'revalidated' | 'recovered' | 'unknown' | 'resent' | 'interrupted'
 *   | 'refused' | 'waiting'} Form
 */

/** @type {Record<Exclude<Borrowing, 'memory' | 'interrupted'>, Form>} */
const BY_BORROWING = {
  replay: 'replayed',
  coalesced: 'coalesced',
  revalidated: 'revalidated',
}

/**
 * Whether the call was answered, and the answer was too large for its caller, as `src/model/over-budget.ts` has it. Its picture is
 * that of a success: only the caller did not get the data.
 * @param {Partial<Pick<RequestDetail, 'error'>>} request
 */
export function isOverBudget({ error }) {
  if (error?.code !== 'TOO_LARGE' || error.source !== 'caller') return false
  const fields = /** @type {{ path: string }[] | undefined} */ (error.details.fields)
  return fields?.some(({ path }) => path === 'token_budget') === true
}

/**
 * @param {Pick<RequestDetail, 'ok' | 'code' | 'reason' | 'meta' | 'answer_from'> & Partial<Pick<RequestDetail, 'error'>>} request
 * @returns {Form}
 */
export function formOf(request) {
  const { code, reason, meta, answer_from: from } = request
  const ok = request.ok || isOverBudget(request)
  if (!meta) return 'interrupted'
  if (code === 'APPROVAL_REQUIRED' && !from?.borrowed) return 'waiting'
  if (from) return takenForm(from, meta, request)
  if (reason === 'RECOVERED') return 'recovered'
  return ok || meta.attempts.some(isSent) ? 'sent' : 'refused'
}

/**
 * @param {import('../../../src/model/answer-from.ts').AnswerFrom} from
 * @param {NonNullable<RequestDetail['meta']>} meta
 * @param {Parameters<typeof formOf>[0]} request
 * @returns {Form}
 */
function takenForm({ how }, meta, request) {
  switch (how) {
    case 'memory':
      return isStale(meta) ? 'stale' : 'memory'
    case 'interrupted':
      if (countAttempts(meta.attempts).tried > 0) return 'resent'
      if (request.ok || isOverBudget(request)) return 'recovered'
      return request.reason === 'WRITE_OUTCOME_UNKNOWN' ? 'unknown' : 'refused'
    default:
      return BY_BORROWING[how]
  }
}

/** @param {{ readonly warnings: readonly { readonly code: string }[] }} meta */
function isStale({ warnings }) {
  return warnings.some(({ code }) => code === 'STALE_ANSWER')
}

/**
 * Whether anything went upstream. An attempt fails before that if, for example, the program of the route does not start.
 * @param {Attempt} attempt
 */
export function isSent({ status, upstream_requests }) {
  return status !== 'skipped' && upstream_requests !== 0
}

/**
 * Counts the attempts of a list as `src/model/count-attempts.ts` does, and what it leaves out: skipped routes, and the reads that
 * check a write.
 * @param {readonly Attempt[]} attempts
 */
export function countAttempts(attempts) {
  const own = attempts.filter(({ purpose }) => purpose === undefined)
  const skipped = own.filter(({ status }) => status === 'skipped').length
  const checks = attempts.filter(
    ({ purpose, status }) => purpose === 'verify' && status !== 'skipped',
  ).length
  return { tried: own.length - skipped, skipped, checks }
}

/**
 * Whether a call came as far as its routes. A check of an interrupted write comes before.
 * @param {Pick<RequestDetail, 'meta'>} request
 */
export function reachedRoutes({ meta }) {
  return meta?.attempts.some(({ purpose }) => purpose === undefined) === true
}

/**
 * Whether the request decided between routes, so that it can be decided again: `toFixture` of the gateway refuses the others.
 * @param {Pick<RequestDetail, 'plan' | 'trace' | 'reason' | 'answer_from' | 'meta'>} request
 */
export function hasDecisions({ plan, trace, reason, answer_from: from, meta }) {
  if (!plan || !trace || !meta || reason === 'CACHE_HIT' || from?.borrowed) return false
  if (plan.candidates.length === 0) return true
  return plan.candidates.some(({ route }) => ownAttempts(meta, route).length > 0)
}

/**
 * @param {RequestDetail['meta']} meta
 * @param {string} route
 */
function ownAttempts(meta, route) {
  const attempts = meta?.attempts ?? []
  return attempts.filter(one => one.route === route && one.purpose === undefined)
}

/**
 * Says how a candidate of the plan ended.
 * @param {string} route
 * @param {number} index its place among the candidates
 * @param {Pick<RequestDetail, 'ok' | 'meta' | 'answer_from'> & Partial<Pick<RequestDetail, 'error'>> | null} request null for a plan that was not carried out
 */
export function fateOf(route, index, request) {
  if (!request) return index === 0 ? 'try first' : 'fall back'
  const { meta, answer_from: from } = request
  if (from?.borrowed) return 'not needed'
  const own = ownAttempts(meta, route)
  if (own.some(({ status }) => status !== 'skipped')) {
    return index === 0 ? 'tried first' : 'fell back to'
  }
  if (own.length > 0) return 'skipped'
  return request.ok || isOverBudget(request) ? 'not needed' : 'not tried'
}

/**
 * Says why the plan has a candidate at its place. The reason of a later one says that an earlier one could not serve, which is true
 * only once the gateway has fallen back.
 * @param {{ route: string, reason: string }} candidate
 * @param {number} index its place among the candidates
 * @param {Parameters<typeof fateOf>[2]} request
 */
export function whyOf({ route, reason }, index, request) {
  const isLater = reason === 'CARD_FALLBACK' && index > 0
  if (isLater && fateOf(route, index, request) !== 'fell back to')
    return 'a later choice of the card'
  return inWords(REASONS, reason)
}
