import { expect, test } from 'vitest'
import { describeRequest } from '../../inspector/web/model/story.js'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import type { AnswerFrom, Borrowing } from '../../src/model/answer-from.ts'
import type { Attempt, EnvelopeError, Meta } from '../../src/model/envelope.ts'
import type { Trace } from '../../src/model/trace.ts'

const rest: Attempt = { route: 'rest', status: 'success', duration_ms: 12 }
const failed: Attempt = {
  route: 'rest',
  status: 'error',
  error_code: 'SERVER',
  upstream_status: 503,
  next: 'next_route',
}
const graphql: Attempt = { ...rest, route: 'graphql' }
const exhausted: Attempt = { route: 'rest', status: 'skipped', reason: 'QUOTA_EXHAUSTED' }
const check: Attempt = { ...rest, purpose: 'verify', capability_id: 'issue.list' }
const borrowed = (how: Borrowing): AnswerFrom => ({ how, request_id: 'other', borrowed: true })
const late: Attempt = { route: 'cli', status: 'skipped', reason: 'SHARED_FATE' }

const OVER_BUDGET = {
  ok: false,
  code: 'TOO_LARGE',
  error: {
    code: 'TOO_LARGE',
    source: 'caller',
    details: { fields: [{ path: 'token_budget', message: 'needs about 3000' }] },
  } as unknown as EnvelopeError,
} as const

test.each<[string, Partial<RequestDetail>, Attempt[] | null, string]>([
  [
    'the first choice',
    { route_used: 'rest', reason: 'CARD_PREFERRED' },
    [rest],
    'rest answered after 12 ms: the first choice of the card.',
  ],
  [
    'a fallback',
    { route_used: 'graphql', reason: 'CARD_FALLBACK' },
    [failed, failed, graphql, late],
    'rest failed 2 times with SERVER, HTTP 503. graphql answered after 12 ms.',
  ],
  [
    'a skipped route and a retry',
    { route_used: 'graphql', reason: 'CARD_FALLBACK' },
    [exhausted, { ...failed, route: 'graphql' }, graphql],
    'rest was skipped: its quota is used up. graphql answered on attempt 2 after 12 ms.',
  ],
  [
    'a write whose check failed to settle it',
    { ok: false, code: 'NETWORK', reason: 'WRITE_OUTCOME_UNKNOWN', write_outcome: 'unknown' },
    [failed, check],
    'rest failed with SERVER, HTTP 503. The caller got NETWORK after 12 ms, and the write may have been applied.',
  ],
  [
    'a failure',
    { ok: false, code: 'SERVER', reason: 'ROUTE_FAILED' },
    [failed],
    'rest failed with SERVER, HTTP 503. The caller got SERVER after 12 ms.',
  ],
  [
    'an older answer from memory',
    { route_used: 'rest', reason: 'CACHE_HIT' },
    [failed],
    'rest failed with SERVER, HTTP 503. Memory answered after 12 ms, with an answer from 3 s before.',
  ],
  [
    'a write in doubt',
    { ok: false, code: 'NETWORK', write_outcome: 'unknown' },
    [{ ...failed, error_code: 'NETWORK' }],
    'rest failed with NETWORK, HTTP 503. The caller got NETWORK after 12 ms, and the write may have been applied.',
  ],
  [
    'a refusal',
    { ok: false, code: 'VALIDATION', reason: 'INPUT_VALIDATION' },
    [],
    'Refused before any route was tried: the call is not valid.',
  ],
  [
    'an answer from memory',
    { reason: 'CACHE_HIT' },
    [],
    'No route was called: memory answered, because the caller allowed it.',
  ],
  [
    'the replay of an answer',
    { reason: 'IDEMPOTENT_REPLAY', answer_from: borrowed('replay') },
    [failed, graphql],
    'Nothing was sent: the caller got the stored answer for the same Idempotency-Key, after 12 ms.',
  ],
  [
    'a failure that it shared',
    { ok: false, code: 'SERVER', reason: 'ROUTE_FAILED', answer_from: borrowed('coalesced') },
    [failed],
    'Nothing was sent: it shared the call of an identical request, after 12 ms, a failure: SERVER.',
  ],
  [
    'a write found after a crash',
    { reason: 'RECOVERED', answer_from: { ...borrowed('interrupted'), borrowed: false } },
    [check],
    'The write was not sent again: a check showed after 12 ms that the interrupted request had made it.',
  ],
  [
    'a write in doubt after a crash',
    {
      ok: false,
      code: 'UNKNOWN',
      reason: 'WRITE_OUTCOME_UNKNOWN',
      answer_from: { ...borrowed('interrupted'), borrowed: false },
    },
    [check],
    'The write was not sent again: no check could tell what the interrupted request had done. The caller got UNKNOWN after 12 ms.',
  ],
  [
    'a write that was not there after a crash, and for which no time was left',
    {
      ok: false,
      code: 'TIMEOUT',
      reason: 'DEADLINE',
      answer_from: { ...borrowed('interrupted'), borrowed: false },
    },
    [check],
    'The first request with this Idempotency-Key was interrupted, and this one did not send the write. Refused before any route was tried: the deadline left no time for it.',
  ],
  [
    'a write that is sent again after a crash',
    {
      route_used: 'rest',
      reason: 'CARD_PREFERRED',
      answer_from: { ...borrowed('interrupted'), borrowed: false },
    },
    [check, rest],
    'The first request with this Idempotency-Key was interrupted, so this one sent the write. rest answered after 12 ms: the first choice of the card.',
  ],
  [
    'a write that a check did not find',
    {
      ok: false,
      code: 'NETWORK',
      write_outcome: 'not_applied',
      trace: { steps: [{ kind: 'verdict', verdict: 'absent' }] } as unknown as Trace,
    },
    [failed, check],
    'rest failed with SERVER, HTTP 503. A check showed that the write had not been applied. The caller got NETWORK after 12 ms.',
  ],
  [
    'a refusal by a person',
    {
      ok: false,
      code: 'FORBIDDEN',
      reason: 'APPROVAL_REQUIRED',
      error: { details: { decided_by: 'chief' } } as unknown as EnvelopeError,
    },
    [],
    'Refused before any route was tried: chief was asked to approve it, and refused.',
  ],
  [
    'a key that another request holds',
    {
      ok: false,
      code: 'VALIDATION',
      reason: 'INPUT_VALIDATION',
      error: { details: { held_since: '2026-01-01T00:00:00Z' } } as unknown as EnvelopeError,
    },
    [],
    'Refused before any route was tried: another request holds its Idempotency-Key.',
  ],
  [
    'an answer that was too large for its caller',
    { ...OVER_BUDGET, route_used: 'graphql', reason: 'CARD_FALLBACK' },
    [failed, graphql],
    "rest failed with SERVER, HTTP 503. graphql answered after 12 ms. The answer was too large for the caller's budget, so the caller got TOO_LARGE.",
  ],
  [
    'an answer from memory that was too large for its caller',
    { ...OVER_BUDGET, reason: 'CACHE_HIT' },
    [],
    "No route was called: memory answered, because the caller allowed it. The answer was too large for the caller's budget, so the caller got TOO_LARGE.",
  ],
  [
    'the answer to a change that was too large for its caller',
    {
      ...OVER_BUDGET,
      write_outcome: 'applied',
      reason: 'IDEMPOTENT_REPLAY',
      answer_from: borrowed('replay'),
    },
    [rest],
    "Nothing was sent: the caller got the stored answer for the same Idempotency-Key, after 12 ms. The answer was too large for the caller's budget, so the caller got TOO_LARGE, which says that the change was made.",
  ],
  ['a crash', { ok: false }, null, 'The gateway stopped before it answered this request.'],
])('describes %s', (_name, request, attempts, story) => {
  const meta = attempts && ({ attempts, warnings: [], age_ms: 3000 } as unknown as Meta)
  const whole = { ok: true, code: null, write_outcome: null, duration_ms: 12, ...request, meta }
  expect(describeRequest(whole as RequestDetail)).toBe(story)
})

test.each<[NonNullable<RequestDetail['write_outcome']>, string]>([
  ['applied', ', but the write was applied'],
  ['not_applied', ', and the write was not applied'],
  ['unknown', ', and the write may have been applied'],
])('a failed write whose outcome is %s says so', (write_outcome, words) => {
  const own = storyOf({ ok: false, code: 'NETWORK', write_outcome })
  expect(own).toBe(`rest failed with SERVER, HTTP 503. The caller got NETWORK after 12 ms${words}.`)
  const replay = { answer_from: borrowed('replay') }
  const repeated = storyOf({ ok: false, code: 'NETWORK', write_outcome, ...replay })
  expect(repeated.endsWith(`a failure: NETWORK${words}.`)).toBe(true)
})

/** The story of a request whose only attempt failed. */
function storyOf(request: Partial<RequestDetail>) {
  const meta = { attempts: [failed], warnings: [] } as unknown as Meta
  return describeRequest({ duration_ms: 12, ...request, meta } as RequestDetail)
}
