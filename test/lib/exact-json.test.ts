import { expect, test } from 'vitest'
import { isRawNumber, mayBeInexact, parseJson } from '../../src/lib/exact-json.ts'

test.each([1, 2, 15, 16, 17, 31, 32, 33, 100])(
  'a run of 16 digits is found behind %i other characters',
  before => {
    const text = (digits: number) => `${'x'.repeat(before)}${'7'.repeat(digits)}x`
    expect(mayBeInexact(text(15))).toBe(false)
    expect(mayBeInexact(text(16))).toBe(true)
    expect(mayBeInexact(text(40))).toBe(true)
  },
)

test.each(['1234567890123456', '[1e400]', '[1E+400]', '[1.5e309]'])('%s may be inexact', text => {
  expect(mayBeInexact(text)).toBe(true)
})

test.each(['', '[123456789012345]', '[1e99]', '[1e-400]', '"e1000"', '123456789.123456'])(
  '%j is exact',
  text => {
    expect(mayBeInexact(text)).toBe(false)
  },
)

test('a number keeps every digit wherever it stands', () => {
  for (let before = 0; before < 40; before++) {
    const [, number] = parseJson(`["${'x'.repeat(before)}",12345678901234567891]`) as unknown[]
    expect(isRawNumber(number)).toBe(true)
    expect(JSON.stringify(number)).toBe('12345678901234567891')
  }
})

test('a text full of digits is searched in linear time', () => {
  const text = '123456789012345,'.repeat(500_000)
  const started = performance.now()
  expect(mayBeInexact(text)).toBe(false)
  expect(performance.now() - started).toBeLessThan(2000)
})
