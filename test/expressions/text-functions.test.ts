import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../src/expressions/expression.ts'

const run = (expression: string, body: unknown) => compileExpression(expression)({ body })

describe('functions over texts', () => {
  test.each([
    ['tail(body, `10`)', 'short', 'short'],
    ['tail(body, `4`)', 'ab\ncd\nef', 'ef'],
    ['tail(body, `5`)', 'ab\ncd\nef', 'cd\nef'],
    ['tail(body, `3`)', 'abcdefg', 'efg'],
    ['tail(body, `3`)', 'abcdefg\n', 'fg\n'],
    ['tail(body, `1`)', 'a😀', '\ufffd'],
    ['folders_above(body)', 'a/b/c', ['a', 'a/b']],
    ['folders_above(body)', 'a', []],
    ['lines(body)', '', []],
    ['lines(body)', '\ufeffa\r\n\u001b[36;1mb\u001b[0m\n\nc\n', ['a', 'b', '', 'c']],
    ["matching(body, '^b|c$')", ['ab', 'ba', 'bc', 'c'], ['ba', 'bc', 'c']],
    [
      "between(body, '10:01', '10:02')",
      ['10:00 a', '10:01 b', '10:02:59 c', '10:03 d'],
      ['10:01 b', '10:02:59 c'],
    ],
  ])('%s of %j is %j', (expression, body, result) => {
    expect(run(expression, body)).toEqual(result)
  })
})
