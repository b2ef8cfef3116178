import { expect, test } from 'vitest'
import { describeRequest } from '../../inspector/web/model/story.js'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import type { Attempt, Meta } from '../../src/model/envelope.ts'

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
const late: Attempt = { route: 'cli', status: 'skipped', reason: 'SHARED_FATE' }

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
    'Refused before any route was tried: the input is not valid.',
  ],
  [
    'an answer from memory',
    { reason: 'CACHE_HIT' },
    [],
    'No route was called: memory answered, because the caller allowed it.',
  ],
  ['a crash', { ok: false }, null, 'The gateway stopped before it answered this request.'],
])('describes %s', (_name, request, attempts, story) => {
  const meta = attempts && ({ attempts, age_ms: 3000 } as unknown as Meta)
  const whole = { ok: true, code: null, write_outcome: null, duration_ms: 12, ...request, meta }
  expect(describeRequest(whole as RequestDetail)).toBe(story)
})
