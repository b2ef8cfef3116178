import { describe, expect, test } from 'vitest'
import { backoffMs, decide, explainsMore, type Standing } from '../../src/attempt/decide.ts'
import type { Failure } from '../../src/model/failure.ts'
import { createFailure } from '../../src/model/failure.ts'
import type { Decision } from '../../src/model/reasons.ts'

const standing: Standing = {
  effect: 'read',
  hasVerify: false,
  hasNextRoute: true,
  canRetry: true,
  remainingMs: 10_000,
  callerGone: false,
}
const down: Failure = createFailure('SERVER', 'down', { fallback: true, writeOutcome: 'unknown' })

describe('decide', () => {
  const cases: readonly [string, Failure, Partial<Standing>, Decision][] = [
    ['another route comes before waiting', down, {}, 'next_route'],
    ['the last route is retried', down, { hasNextRoute: false }, 'retry_same'],
    [
      'the last route is given up after its retries',
      down,
      { hasNextRoute: false, canRetry: false },
      'give_up',
    ],
    ['a caller who left gets no further attempt', down, { callerGone: true }, 'give_up'],
    [
      'a wait longer than the deadline is left to the caller',
      { ...down, retryAfterMs: 60_000 },
      { hasNextRoute: false },
      'give_up',
    ],
    [
      'a wait that fits the deadline is followed by a retry',
      { ...down, retryAfterMs: 2_000 },
      { hasNextRoute: false },
      'retry_same',
    ],
    [
      'a failure that no route can change ends the run',
      createFailure('NOT_FOUND', 'none'),
      {},
      'give_up',
    ],
    ['a write of unknown outcome is not sent again', down, { effect: 'write' }, 'give_up'],
    [
      'a write of unknown outcome is verified',
      down,
      { effect: 'write', hasVerify: true },
      'verify',
    ],
    [
      'an applied write is not verified',
      { ...down, writeOutcome: 'applied' },
      { effect: 'write', hasVerify: true },
      'give_up',
    ],
    [
      'a write that surely did nothing goes to the next route',
      { ...down, writeOutcome: 'not_applied' },
      { effect: 'write' },
      'next_route',
    ],
    ['an idempotent change is repeated', down, { effect: 'idempotent' }, 'next_route'],
  ]
  test.each(cases)('%s', (_title, failure, changes, expected) => {
    expect(decide(failure, { ...standing, ...changes })).toBe(expected)
  })
})

test('the backoff is a random part of a window that grows up to a limit', () => {
  expect(backoffMs(0, () => 0)).toBe(0)
  expect(backoffMs(0, () => 1)).toBe(100)
  expect(backoffMs(3, () => 1)).toBe(800)
  expect(backoffMs(20, () => 1)).toBe(2_000)
})

test('a later failure explains more only if its code does', () => {
  const missing = createFailure('NOT_FOUND', 'none')
  expect(explainsMore(missing, down)).toBe(true)
  expect(explainsMore(down, missing)).toBe(false)
  const alsoDown = createFailure('TIMEOUT', 'slow')
  expect(explainsMore(alsoDown, down)).toBe(false)
})
