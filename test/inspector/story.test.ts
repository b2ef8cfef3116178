import { expect, test } from 'vitest'
import { tellStory } from '../../inspector/web/model/story.js'
import type { RequestDetail } from '../../src/journal/journal.ts'
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
const look: Attempt = { ...rest, purpose: 'verify', capability_id: 'issue.list' }
const late: Attempt = { route: 'cli', status: 'skipped', reason: 'SHARED_FATE' }

test.each<[string, Partial<RequestDetail>, Attempt[] | null, string]>([
  [
    'the first choice',
    { route_used: 'rest', reason: 'CARD_PREFERRED' },
    [rest],
    'rest answered after 12 ms: the first choice of its card.',
  ],
  [
    'a fallback',
    { route_used: 'graphql', reason: 'CARD_FALLBACK' },
    [failed, failed, graphql, late],
    'rest failed 2 times with SERVER, HTTP 503. graphql answered after 12 ms.',
  ],
  [
    'a route passed over, and a retry',
    { route_used: 'graphql', reason: 'CARD_FALLBACK' },
    [exhausted, { ...failed, route: 'graphql' }, graphql],
    'rest was passed over: its quota is used up. graphql answered at attempt 2 after 12 ms.',
  ],
  [
    'a write that was looked after',
    { ok: false, code: 'NETWORK', reason: 'WRITE_OUTCOME_UNKNOWN', write_outcome: 'unknown' },
    [failed, look],
    'rest failed with SERVER, HTTP 503. Whether the change happened is not known, after 12 ms.',
  ],
  [
    'a failure',
    { ok: false, code: 'SERVER', reason: 'ROUTE_FAILED' },
    [failed],
    'rest failed with SERVER, HTTP 503. The caller got SERVER after 12 ms.',
  ],
  [
    'a write in doubt',
    { ok: false, code: 'NETWORK', write_outcome: 'unknown' },
    [{ ...failed, error_code: 'NETWORK' }],
    'rest failed with NETWORK, HTTP 503. Whether the change happened is not known, after 12 ms.',
  ],
  [
    'a refusal',
    { ok: false, code: 'VALIDATION', reason: 'INPUT_VALIDATION' },
    [],
    'Refused before any route was tried: the input is not valid.',
  ],
  ['a cached answer', { reason: 'CACHE_HIT' }, [], 'No route was asked: answered from memory.'],
  ['a crash', { ok: false }, null, 'The gateway stopped before this request was answered.'],
])('tells %s', (_name, request, attempts, story) => {
  const meta = attempts && ({ attempts } as unknown as Meta)
  const whole = { ok: true, code: null, write_outcome: null, duration_ms: 12, ...request, meta }
  expect(tellStory(whole as RequestDetail)).toBe(story)
})
