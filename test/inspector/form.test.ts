import { expect, test } from 'vitest'
import {
  countAttempts,
  fateOf,
  formOf,
  hasDecisions,
  whyOf,
} from '../../inspector/web/model/form.js'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import type { AnswerFrom, Borrowing } from '../../src/model/answer-from.ts'
import type { Attempt, EnvelopeError } from '../../src/model/envelope.ts'

const rest: Attempt = { route: 'rest', status: 'success', duration_ms: 12 }
const failed: Attempt = { ...rest, status: 'error', error_code: 'NETWORK' }
const skipped: Attempt = { route: 'graphql', status: 'skipped', reason: 'SHARED_FATE' }
const unsent: Attempt = { ...failed, upstream_requests: 0 }
const check: Attempt = { ...rest, purpose: 'verify', capability_id: 'issue.list' }

const from = (how: Borrowing): AnswerFrom => ({ how, request_id: 'other', borrowed: false })

/** A request with these attempts; null for one whose gateway stopped. */
function requestOf(attempts: Attempt[] | null, more: Partial<RequestDetail> = {}) {
  const meta = attempts && { attempts, warnings: [] }
  return {
    ok: true,
    code: null,
    reason: null,
    answer_from: null,
    meta,
    ...more,
  } as unknown as RequestDetail
}

const details = { fields: [{ path: 'token_budget', message: 'needs about 3000' }] }
const OVER_BUDGET = {
  ok: false,
  code: 'TOO_LARGE',
  error: { code: 'TOO_LARGE', source: 'caller', details } as unknown as EnvelopeError,
} as const

test.each<[string, RequestDetail]>([
  ['sent', requestOf([rest])],
  ['sent', requestOf([failed], { ok: false })],
  ['refused', requestOf([], { ok: false, code: 'VALIDATION' })],
  ['refused', requestOf([skipped], { ok: false })],
  ['refused', requestOf([unsent], { ok: false })],
  ['waiting', requestOf([], { ok: false, code: 'APPROVAL_REQUIRED' })],
  ['interrupted', requestOf(null, { ok: false })],
  ['recovered', requestOf([failed, check], { reason: 'RECOVERED' })],
  ['recovered', requestOf([check], { answer_from: from('interrupted') })],
  [
    'unknown',
    requestOf([check], {
      ok: false,
      reason: 'WRITE_OUTCOME_UNKNOWN',
      answer_from: from('interrupted'),
    }),
  ],
  ['refused', requestOf([check], { ok: false, code: 'TIMEOUT', answer_from: from('interrupted') })],
  ['resent', requestOf([check, rest], { answer_from: from('interrupted') })],
  ['resent', requestOf([failed], { ok: false, answer_from: from('interrupted') })],
  [
    'waiting',
    requestOf([check], { ok: false, code: 'APPROVAL_REQUIRED', answer_from: from('interrupted') }),
  ],
  ['replayed', requestOf([rest], { answer_from: from('replay') })],
  ['coalesced', requestOf([rest], { answer_from: from('coalesced') })],
  ['coalesced', requestOf([failed], { ok: false, answer_from: from('coalesced') })],
  ['memory', requestOf([], { answer_from: from('memory') })],
  ['sent', requestOf([rest], OVER_BUDGET)],
  ['memory', requestOf([], { ...OVER_BUDGET, answer_from: from('memory') })],
  ['recovered', requestOf([check], { ...OVER_BUDGET, answer_from: from('interrupted') })],
  ['revalidated', requestOf([rest], { answer_from: from('revalidated') })],
])('the form of a request is %s', (form, request) => {
  expect(formOf(request)).toBe(form)
})

test('an older answer after failures is no plain answer from memory', () => {
  const request = requestOf([failed], { answer_from: from('memory') })
  const meta = { ...request.meta, warnings: [{ code: 'STALE_ANSWER' }] }
  expect(formOf({ ...request, meta } as unknown as RequestDetail)).toBe('stale')
})

test('reads that check a write, and routes that were skipped, are not counted as attempts', () => {
  expect(countAttempts([failed, check, check, rest, skipped])).toEqual({
    tried: 2,
    skipped: 1,
    checks: 2,
  })
})

test.each<[string, RequestDetail | null, string[]]>([
  ['the first answered', requestOf([rest]), ['tried first', 'not needed']],
  [
    'the second answered',
    requestOf([failed, { ...rest, route: 'graphql' }]),
    ['tried first', 'fell back to'],
  ],
  ['the run skipped the second', requestOf([failed, skipped]), ['tried first', 'skipped']],
  ['the first failed for good', requestOf([failed], { ok: false }), ['tried first', 'not tried']],
  [
    'a check read by the second',
    requestOf([failed, { ...check, route: 'graphql' }]),
    ['tried first', 'not needed'],
  ],
  [
    'another request answered',
    requestOf([rest], { answer_from: { ...from('replay'), borrowed: true } }),
    ['not needed', 'not needed'],
  ],
  ['nothing was carried out', null, ['try first', 'fall back']],
])('the plan says what became of each candidate: %s', (_case, request, fates) => {
  expect(['rest', 'graphql'].map((route, at) => fateOf(route, at, request))).toEqual(fates)
})

const plan = { candidates: [{ route: 'rest' }], skipped: [] }
test.each<[string, RequestDetail, boolean]>([
  ['tried', requestOf([rest]), true],
  ['sent again', requestOf([check, rest], { answer_from: from('interrupted') }), true],
  ['only checked', requestOf([check], { answer_from: from('interrupted') }), false],
  ['waiting', requestOf([], { ok: false, code: 'APPROVAL_REQUIRED' }), false],
  ['interrupted', requestOf(null, { ok: false }), false],
  ['from memory', requestOf([], { reason: 'CACHE_HIT' }), false],
])('a request that was %s can be decided again: %#', (_how, request, can) => {
  expect(hasDecisions({ ...request, plan, trace: {} } as unknown as RequestDetail)).toBe(can)
  const unplanned = { ...request, plan: { candidates: [], skipped: [] }, trace: {} }
  const isOwn = request.meta !== null && request.reason !== 'CACHE_HIT'
  expect(hasDecisions(unplanned as unknown as RequestDetail)).toBe(isOwn)
})

const LATER = 'a later choice of the card'
const FALLEN = 'the next choice of the card, because an earlier one could not serve'
test.each<[string, RequestDetail | null, string[]]>([
  ['the first answered', requestOf([rest]), [FALLEN, LATER]],
  ['the second answered', requestOf([failed, { ...rest, route: 'graphql' }]), [FALLEN, FALLEN]],
  ['the run skipped the second', requestOf([failed, skipped]), [FALLEN, LATER]],
  ['the first failed for good', requestOf([failed], { ok: false }), [FALLEN, LATER]],
  ['nothing was carried out', null, [FALLEN, LATER]],
])('the plan says why each candidate is there: %s', (_case, request, words) => {
  // The first candidate has this reason too, if the plan skipped one before it.
  const candidates = ['rest', 'graphql'].map(route => ({ route, reason: 'CARD_FALLBACK' }))
  expect(candidates.map((one, at) => whyOf(one, at, request))).toEqual(words)
})
