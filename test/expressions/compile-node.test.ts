import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileNode } from '../../src/expressions/compile-node.ts'

const MEMBERS = ['a', 'b', 'c', '__proto__', 'constructor', 'length']
const member = fc.constantFrom(...MEMBERS)

const value = fc.letrec<{ value: JSONValue; list: JSONValue; object: JSONValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 3, '', 'text'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<JSONValue>,
  object: fc.dictionary(member, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JSONValue>,
})).object

/** Texts of expressions that mix compiled nodes with interpreted ones. */
const expression = fc.letrec<{ text: string; hash: string }>(tie => ({
  text: fc.oneof(
    { maxDepth: 4 },
    member.map(name => `"${name}"`),
    fc.constantFrom('@', '[0]', '[]', '[1:]', '[*]', '*', '$', '`1`', "'x'"),
    fc.tuple(tie('text'), tie('text')).map(([left, right]) => `${left} | ${right}`),
    fc.tuple(tie('text'), member).map(([left, name]) => `(${left})."${name}"`),
    fc.tuple(tie('text'), tie('hash')).map(([left, right]) => `(${left}).${right}`),
    fc.tuple(tie('text'), tie('hash')).map(([left, right]) => `(${left})[].${right}`),
    fc.tuple(tie('text'), member).map(([left, name]) => `(${left})[*]."${name}"`),
    fc.tuple(tie('text'), member).map(([left, name]) => `(${left})[?"${name}"]`),
    fc
      .tuple(tie('text'), fc.constantFrom('||', '&&', '|'), tie('text'))
      .map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
    fc
      .tuple(tie('text'), tie('text'))
      .map(([left, right]) => `let $v = (${left}) in [$v, (${right})]`),
    fc
      .tuple(
        tie('text'),
        fc.constantFrom('==', '!=', '>'),
        fc.constantFrom('`3`', "'x'", '`null`', '`{}`', 'a'),
      )
      .map(([left, sign, right]) => `(${left}) ${sign} ${right}`),
    tie('text').map(inner => `!(${inner})`),
    fc
      .tuple(tie('text'), tie('text'), tie('text'))
      .map(([test, first, second]) => `(${test}) ? (${first}) : (${second})`),
    fc
      .tuple(fc.constantFrom('to_string', 'upper', 'length', 'keys', 'not_null'), tie('text'))
      .map(([name, inner]) => `${name}(${inner})`),
    fc.tuple(tie('text'), tie('text')).map(([list, one]) => `contains(${list}, ${one})`),
    fc.tuple(tie('text'), member).map(([list, by]) => `sort_by(${list}, &"${by}")`),
    tie('text').map(inner => `map(&@, to_array(${inner}))`),
    tie('hash'),
  ),
  hash: fc
    .array(fc.tuple(member, tie('text')), { minLength: 1, maxLength: 3 })
    .map(members => `{${members.map(([name, text]) => `"${name}": ${text}`).join(', ')}}`),
})).text

test('an expression gives what the interpreter gives, or fails as it does', () => {
  fc.assert(
    fc.property(expression, value, (text, data) => {
      const node = compile(text)
      expect(resultOf(() => compileNode(node)(data))).toEqual(
        resultOf(() => TreeInterpreter.search(node, data)),
      )
    }),
    { numRuns: 3000 },
  )
})

function resultOf(work: () => unknown): unknown {
  try {
    return { result: JSON.stringify(work()) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
