import { expect, test } from 'vitest'
import { isTooDeep, MAX_NESTING } from '../../src/lib/nesting.ts'

const nested = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}0${close.repeat(levels)}`

test.each([
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"a":', '}]'],
])('%s may open as often as there are levels allowed, and no more', (open, close) => {
  const levels = MAX_NESTING / (open.match(/[[{]/g)?.length ?? 1)
  expect(isTooDeep(nested(open, close, levels))).toBe(false)
  expect(isTooDeep(nested(open, close, levels + 1))).toBe(true)
})

test('brackets side by side and in texts add no level', () => {
  expect(isTooDeep(JSON.stringify(Array.from({ length: 2000 }, () => [{}])))).toBe(false)
  expect(isTooDeep(JSON.stringify('[{'.repeat(2000)))).toBe(false)
  expect(isTooDeep(JSON.stringify(`\\"${'['.repeat(2000)}`))).toBe(false)
})
