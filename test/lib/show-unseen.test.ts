import { expect, test } from 'vitest'
import { showUnseen } from '../../src/lib/show-unseen.ts'

test.each([
  ['a text in any script', 'Grüße, 世界 and नमस्ते 🙂', 'Grüße, 世界 and नमस्ते 🙂'],
  ['terminal escapes', '\u001b[2J\u009b31m', '\\u001b[2J\\u009b31m'],
  ['line breaks', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
  ['controls of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['zero-width characters', 'a\u200bb\ufeff\u00ad', 'a\\u200bb\\ufeff\\u00ad'],
  ['tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['half a pair', 'a\ud800', 'a\\ud800'],
])('%s can be seen', (_, text, shown) => {
  expect(showUnseen(text)).toBe(shown)
})

test('JSON keeps its value, and its layout', () => {
  const value = { 'na\u200bme': 'a\u202e\u{e0041}\u001b\n' }
  const shown = showUnseen(JSON.stringify(value, null, 2), '\n')
  expect(JSON.parse(shown)).toEqual(value)
  expect(shown.split('\n')).toHaveLength(3)
})
