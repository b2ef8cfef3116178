import { expect, test } from 'vitest'
import { layOut, ticksOf } from '../../inspector/web/model/timeline.js'
import type { Attempt } from '../../src/model/envelope.ts'

const failed: Attempt = {
  route: 'rest',
  status: 'error',
  error_code: 'SERVER',
  started_ms: 1,
  duration_ms: 9,
  next: 'retry_same',
}
const retried: Attempt = {
  route: 'rest',
  status: 'success',
  started_ms: 60,
  duration_ms: 20,
  retry: 1,
}
const skipped: Attempt = { route: 'cli', status: 'skipped', reason: 'SHARED_FATE' }
const request = { duration_ms: 82, timeout_ms: null, skippedByPlan: [] }

test('shows the time between an attempt and its retry as a wait', () => {
  const [first, second] = layOut([failed, retried], request).rows
  expect(first).toMatchObject({ ran: { start: 1, end: 10 }, waited: { start: 10, end: 60 } })
  expect(second).toMatchObject({ ran: { start: 60, end: 80 }, waited: null })
})

test('does not count the gap before a fallback as a wait', () => {
  const [first] = layOut([{ ...failed, next: 'next_route' }, retried], request).rows
  expect(first?.waited).toBeNull()
})

test('gives an attempt that sent nothing no bar', () => {
  const [unsent] = layOut([{ ...failed, upstream_requests: 0 }, retried], request).rows
  expect(unsent).toMatchObject({ ran: null, waited: { start: 10, end: 60 } })
})

test('places a skipped route at the time of the decision', () => {
  const during = layOut([failed, skipped], request).rows
  expect(during.at(1)).toMatchObject({ ran: null, skippedAt: 10 })
  const before = layOut([failed, skipped], { ...request, skippedByPlan: ['cli'] }).rows
  expect(before.at(1)).toMatchObject({ ran: null, skippedAt: 0 })
})

test.each([
  ['near', 100, 100],
  ['far', 30_000, null],
])('a %s deadline, at %d ms, stands on the axis at %s', (_name, timeout_ms, shown) => {
  const timeline = layOut([failed, retried], { ...request, timeout_ms })
  expect(timeline.deadline).toBe(shown)
  expect(timeline.length).toBeGreaterThanOrEqual(shown ?? 82)
})

test.each([
  [82, [0, 20, 40, 60, 80]],
  [0.9, [0, 0.2, 0.4, 0.6, 0.8]],
  [12_000, [0, 5000, 10_000]],
])('marks an axis of %d ms at round numbers', (length, ticks) => {
  expect(ticksOf(length)).toEqual(ticks)
})
