import { expect, test } from 'vitest'
import { formatCounted, formatLoaded } from '../../inspector/web/lib/format.js'

test.each([
  [0, '0 requests', '0+ requests'],
  [1, '1 request', '1+ requests'],
  [2, '2 requests', '2+ requests'],
  [1200, '1,200 requests', '1,200+ requests'],
])('%i requests are named in the right number', (count, all, begun) => {
  expect(formatCounted(count, 'request')).toBe(all)
  expect(formatLoaded(count, 'request', false)).toBe(all)
  expect(formatLoaded(count, 'request', true)).toBe(begun)
})
