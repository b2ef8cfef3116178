import { expect, test } from 'vitest'
import { gateOf, refusalOf } from '../../inspector/web/model/refusal.js'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'

const INVALID = 'the call is not valid'
const EMPTY = 'memory has no answer that it may use'

/** A refused call whose error names this member. */
function refused(path: string, more: Partial<RequestDetail>): RequestDetail {
  const error = { details: { fields: [{ path, message: 'wrong' }] } }
  return { meta: { attempts: [] }, error, ...more } as unknown as RequestDetail
}

const invalid = { code: 'VALIDATION', reason: 'INPUT_VALIDATION', http_status: 400 } as const
const stopped = { code: 'CONFLICT', reason: null, http_status: 424 } as const

test.each([
  [refused('owner', invalid), INVALID, 'the check of the call'],
  [refused('route', invalid), INVALID, 'the check of the call'],
  [refused('idempotency-key', invalid), INVALID, 'the check of the call'],
  [refused('cache-control', invalid), INVALID, 'the check of the call'],
  [refused('cache-control', { ...invalid, http_status: 504 }), EMPTY, `only-if-cached: ${EMPTY}`],
  [
    refused('', { code: 'AUTH', reason: null, http_status: 401 }),
    'it had no valid key or token for the gateway',
    'the gateway, which does not know the caller',
  ],
  [
    {
      ...refused('', { code: 'AUTH', reason: 'NO_CREDENTIAL' }),
      meta: { attempts: [{ status: 'skipped' }] },
    } as unknown as RequestDetail,
    'it has no credential',
    'the plan, which skipped every route',
  ],
  [
    refused('needs', stopped),
    'a call of its batch that it needs failed',
    'an earlier call of its batch, which failed',
  ],
  [
    refused('stop_on_error', stopped),
    'an earlier call of its batch failed, and stop_on_error is set',
    'stop_on_error: an earlier call of its batch failed',
  ],
  [
    {
      ...refused('', { code: 'RATE_LIMIT', reason: 'QUOTA_EXHAUSTED' }),
      meta: { attempts: [{ status: 'skipped' }] },
    } as unknown as RequestDetail,
    'its quota is used up',
    'the plan, which skipped every route',
  ],
  [
    {
      ...refused('', { code: 'SERVER', reason: null }),
      meta: { attempts: [{ status: 'success', purpose: 'verify' }] },
    } as unknown as RequestDetail,
    'upstream failed',
    'the gateway, which could not take it at that moment',
  ],
])('says of a refused call what is true of it, whatever is at fault: %#', (request, why, gate) => {
  expect({ why: refusalOf(request), gate: gateOf(request) }).toEqual({ why, gate })
})
