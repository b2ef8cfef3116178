import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SignsOfLife } from '../../src/state/signs-of-life.ts'

const SILENCE_MS = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets time pass. */
function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
}

test('lasts from beat to beat, and a little less long than others wait for one', () => {
  const life = new SignsOfLife(SILENCE_MS)
  const claimed = Date.now()
  for (let n = 0; n < 20; n++) {
    pass(5_000)
    life.confirm(Date.now())
    expect(life.lastedSince(claimed)).toBe(true)
  }
  pass(24_000)
  expect(life.lastedSince(claimed)).toBe(true)
  pass(2_000)
  expect(life.lastedSince(claimed)).toBe(false)
})

test('a beat after a long silence brings back no claim of the time before', () => {
  const life = new SignsOfLife(SILENCE_MS)
  const before = Date.now()
  pass(42_000)
  life.confirm(Date.now())
  expect(life.lastedSince(before)).toBe(false)
  expect(life.lastedSince(Date.now())).toBe(true)
})

test('a beat counts from when it was sent, and not from when it was confirmed', () => {
  const life = new SignsOfLife(SILENCE_MS)
  const sent = Date.now()
  pass(42_000)
  life.confirm(sent)
  expect(life.lastedSince(sent)).toBe(false)
  expect(life.lastedSince(Date.now())).toBe(false)
})
