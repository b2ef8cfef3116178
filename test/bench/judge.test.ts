import { expect, test } from 'vitest'
import { judge } from '../../bench/support/judge.ts'

const figure = (median: number, half = 0, noise = 0) => ({
  low: median - half,
  median,
  high: median + half,
  noise,
})

test.each([
  ['the same', figure(1.2), figure(1.2), true],
  ['cheaper', figure(1.2), figure(0.9), true],
  ['dearer without noise', figure(1.2), figure(1.25), false],
  ['dearer within the quartiles', figure(1.2, 0.05), figure(1.25, 0.05), true],
  ['dearer beyond the quartiles', figure(1.2, 0.05), figure(1.35, 0.05), false],
  [
    'dearer by less than two equal proxies differ',
    figure(1.2, 0, 0.04),
    figure(1.25, 0, 0.02),
    true,
  ],
  [
    'dearer by more than two equal proxies differ',
    figure(1.2, 0, 0.04),
    figure(1.3, 0, 0.02),
    false,
  ],
  ['the same in a run that is too noisy to tell', figure(1.2), figure(1.2, 0.4), false],
])('the guard judges a request that costs %s', (_, before, now, ok) => {
  expect(judge(before, now).ok).toBe(ok)
})
