import { describe, expect, test } from 'vitest'
import { announcedWait, waitForReset } from '../../../../adapters/failures/vocabulary/waits.ts'

/** Sat, 28 Nov 2026 12:00:00 GMT */
const NOW = 1_795_867_200_000

describe('a wait is read by the shape of a name and its unit', () => {
  test.each([
    [{ 'retry-after': '30' }, 30],
    [{ 'retry-after': 'Sat, 28 Nov 2026 12:05:00 GMT' }, 300],
    [{ 'retry-after': 'Saturday, 28-Nov-26 12:05:00 GMT' }, 300],
    [{ 'retry-after': '1795867230' }, 30],
    [{ 'retry-after-ms': '1500' }, 1.5],
    [{ 'x-ms-retry-after-ms': '250' }, 0.25],
    [{ 'x-retry-in-seconds': '7' }, 7],
    [{ 'x-backoff': '2m' }, 120],
    [{ 'x-shop-cooldown-minutes': '2' }, 120],
    [{ 'x-retry-at': '2026-11-28T12:00:10Z' }, 10],
    [{ 'x-retry-count': '3' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '99999999999999999' }, null],
    [{ 'retry-after': '' }, null],
  ] as const)('header %j: %s s', (headers, seconds) => {
    expect(inShort(announcedWait(headers, null, NOW))).toEqual(known(seconds, 'header'))
  })

  test.each([
    [{ retryAfterSeconds: 12 }, 12],
    [{ retry_after: '3.5s' }, 3.5],
    [{ error: { retryAfterMs: 800 } }, 0.8],
    [
      {
        error: {
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }],
        },
      },
      3.5,
    ],
    [{ error: { details: [{ retryDelay: { seconds: '3', nanos: 500_000_000 } }] } }, 3.5],
    [{ backoff: 10 }, 10],
    [{ errors: [{ extensions: { retry_in_seconds: 58 } }] }, 58],
    [{ parameters: { retry_after: 134 } }, 134],
    [{ retryAt: '2026-11-28T12:01:00+00:00' }, 60],
    [{ error: { resetAt: NOW / 1000 + 20 } }, 20],
    [{ reset_in_ms: 4000 }, 4],
    [{ error: 'the model is loading', estimated_time: 20 }, 20],
    [{ retry_after: 'PT1M30S' }, 90],
    [{ retry_after: true }, null],
    [{ retry_after: -1 }, null],
    [{ retryAfter: 1e300 }, null],
    [{ items: [{ retry_after: 5 }] }, null],
    [{ await: 5, presets: { in: 3 } }, null],
  ])('body %j: %s s', (body, seconds) => {
    expect(inShort(announcedWait({}, body, NOW))).toEqual(known(seconds, 'body'))
  })

  test.each([
    ['Please try again in 3593 seconds.', 3593],
    ['Too many logins. Wait 5 minutes before the next one.', 300],
    ['Please retry after 2 hours', 7200],
    ['Too Many Requests: retry after 134', 134],
    ['The call can be retried in 14 seconds.', 14],
    ['You are blocked until 2026-11-28T12:00:40Z.', 40],
    ['Try again at 2026-11-28 12:02 UTC', 120],
    ['query budget 747 out of 10000000, reset in 16 seconds', 16],
    ['Please try again in 1m30s.', 90],
    ['Please try again after Sat, 28 Nov 2026 12:10:00 GMT or write to us.', 600],
    ['Please try again in 20ms', 0.02],
    ['Retry in 1 minute and 5 seconds', 65],
    ['At most 100 requests in 60 seconds are allowed.', null],
    ['Please wait a few minutes before you try again.', null],
    ['The service has been waiting. 5 minutes is the limit.', null],
    ['Try again after 5 attempts', null],
    ['Wait completed after 3 minutes 11 seconds', null],
    ['gave up retrying after 60 seconds', null],
    ['Waiting failed after 30s', null],
    ['timed out waiting 30 seconds for the lock', null],
    ['The wait took 5 minutes', null],
    ['created 2026-11-28T12:00:40Z', null],
  ])('sentence %j: %s s', (message, seconds) => {
    expect(inShort(announcedWait({}, { error: { message } }, NOW))).toEqual(known(seconds, 'body'))
    expect(inShort(announcedWait({}, null, NOW, [message]))).toEqual(known(seconds, 'body'))
  })
})

test('a date is compared with the clock of the service', () => {
  const date = 'Sat, 28 Nov 2026 13:00:00 GMT'
  const headers = { date, 'retry-after': 'Sat, 28 Nov 2026 13:00:20 GMT' }
  expect(inShort(announcedWait(headers, null, NOW))).toEqual(known(20, 'header'))
  expect(inShort(announcedWait({ date }, { retryAt: '2026-11-28T13:00:07Z' }, NOW))).toEqual(
    known(7, 'body'),
  )
})

describe('the reset of a quota is read by the shape of its name', () => {
  test.each([
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795867230' }, 30],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '45' }, 45],
    [{ ratelimit: '"default";r=0;t=30' }, 30],
    [{ ratelimit: '"hour";r=10;t=3000, "burst";r=0;t=4' }, 4],
    [{ ratelimit: 'limit=100, remaining=0, reset=9' }, 9],
    [{ 'x-app-ratelimit-reset-ms': '2500' }, 2.5],
    [{ 'x-quota-reset-at': '2026-11-28T12:00:50Z' }, 50],
    [{ 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' }, 360],
    [
      {
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-requests': '12',
        'x-ratelimit-reset-tokens': '20ms',
        'x-ratelimit-remaining-tokens': '0',
      },
      0.02,
    ],
    [{ 'anthropic-ratelimit-requests-reset': '2026-11-28T12:00:05Z' }, 5],
    [{ 'x-password-reset': '60' }, null],
  ] as const)('%j: %s s', (headers, seconds) => {
    expect(inShort(waitForReset(headers, NOW))).toEqual(known(seconds, 'reset'))
  })
})

test('a long sentence takes little time', () => {
  const started = performance.now()
  for (const part of [
    'again in ',
    'retry after 1',
    'wait 5 minutes,',
    '1m',
    'again 1m ',
    'until 2026-11-',
    ' and 5 s',
  ]) {
    announcedWait({}, { message: part.repeat(100_000) }, NOW, [part.repeat(100_000)])
    announcedWait({ 'x-retry-in': part.repeat(100_000) }, { [part.repeat(10_000)]: part }, NOW)
  }
  expect(performance.now() - started).toBeLessThan(1000)
})

/** The seconds of a wait and where it stands; null without one. */
function inShort(wait: { readonly ms: number; readonly source: string } | null): unknown {
  return wait && [Math.round(wait.ms) / 1000, wait.source]
}

function known(seconds: number | null, source: string): unknown {
  return seconds === null ? null : [seconds, source]
}
