import { expect, test } from 'vitest'
import { compileExpression } from '../../src/expressions/expression.ts'
import { isBuiltByUri } from '../../src/expressions/uri.ts'
import { ValueError } from '../../src/lib/value-error.ts'

const branch = compileExpression("uri('git/refs/heads/{+branch}', {branch: input.branch})")

test('uri encodes what a caller sends', () => {
  expect(branch({ input: { branch: 'feature#1/a b' } })).toBe('git/refs/heads/feature%231/a%20b')
})

test.each(['..', 'a/../b', '.', '', 'a//b', 'a\0b', '\ud800'])('uri refuses %j', value => {
  let cause: unknown
  try {
    branch({ input: { branch: value } })
  } catch (error) {
    cause = (error as Error).cause
  }
  expect(cause).toBeInstanceOf(ValueError)
  expect(cause).toMatchObject({ field: 'branch', value })
})

test.each([
  ['uri(input.path, input)', /a template that is not a literal/],
  ["uri(join('/', ['a', input.path]), input)", /a template that is not a literal/],
  ["uri('a/{b', {b: input.b})", /a faulty template/],
  ["uri('a/{b}', {c: input.b})", /without a value for \{b\}/],
  ["uri('a{?b,c*}', {b: input.b})", /without a value for \{c\}/],
])('%s is a fault when compiled', (text, message) => {
  expect(() => compileExpression(text)).toThrow(message)
})

test.each([
  ["'user'", true],
  ["uri('a/{b}', input)", true],
  ["input.all ? 'a' : uri('a/{b}', input)", true],
  ["let $b = input.b in uri('a/{b}', {b: $b})", true],
  ["join('/', ['a', input.b])", false],
  ["join('', [uri('a/{b}', input), '#'])", false],
  ['input.path', false],
  ["input.path || uri('a/{b}', input)", false],
  ["input.all ? 'a' : input.path", false],
])('%s is built by uri: %s', (text, expected) => {
  expect(isBuiltByUri(text)).toBe(expected)
})
