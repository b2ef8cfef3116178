import { expect, test } from 'vitest'
import { NotExpressible } from '../../../src/tools/import/errors.ts'
import { deref, follow } from '../../../src/tools/import/references.ts'

const DOCUMENT = {
  paths: { '/a b': { summary: 'Spaced' } },
  loop: { $ref: '#/loop' },
}

test('follows a reference with escaped and percent-encoded keys', () => {
  expect(follow(DOCUMENT, '#/paths/~1a%20b/summary')).toBe('Spaced')
})

test.each([
  ['another file', { $ref: 'other.yaml#/a' }, /outside this document/],
  ['a missing part', { $ref: '#/paths/none' }, /which the document does not have/],
  ['a broken encoding', { $ref: '#/paths/%' }, /not a valid reference/],
  ['itself', { $ref: '#/loop' }, /only refers to itself/],
])('a reference to %s is not expressible', (_what, value, message) => {
  expect(() => deref(DOCUMENT, value)).toThrow(NotExpressible)
  expect(() => deref(DOCUMENT, value)).toThrow(message)
})
