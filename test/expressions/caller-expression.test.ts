import { describe, expect, test } from 'vitest'
import { compileCallerExpression } from '../../src/expressions/caller-expression.ts'
import { parseJson } from '../../src/lib/exact-json.ts'

const value = parseJson(
  '{"data":{"items":[{"id":"a","n":12345678901234567890,"open":true},{"id":"b","n":2,"open":false}]},"ok":true}',
)

describe('an expression of a caller', () => {
  test.each([
    ['data.items[0].id', '"a"'],
    ['data.items[0].n', '12345678901234567890'],
    ['data.items[?open].id', '["a"]'],
    ["data.items[?id == 'b'] | [0].{key: id}", '{"key":"b"}'],
    ['sort_by(data.items, &id)[-1].id', '"b"'],
    ['length(data.items)', '2'],
    ['data.nothing.at.all', 'null'],
    ['ok.length', 'null'],
    ['@.ok', 'true'],
  ])('%s selects %s', (text, expected) => {
    expect(JSON.stringify(compileCallerExpression(text)(value))).toBe(expected)
  })

  test.each([
    ['data.toString', /toString/],
    ['constructor', /constructor/],
    ['"__proto__"', /__proto__/],
    ['data.items[*].constructor', /constructor/],
    ['data.items[?valueOf]', /valueOf/],
    ['sort_by(data.items, &hasOwnProperty)', /hasOwnProperty/],
    ['{"__proto__": data}', /__proto__/],
    ['{a: ok}.toString', /toString/],
    ['$.ok', /\$/],
    ['let $x = ok in $x', /let/],
    ["matching(['a'], '(a+)+$')", /matching/],
    ["pad_left('x', `99999999`)", /pad_left/],
    ['data.items[', /does not compile/],
    ['', /does not compile/],
    [`a${'.a'.repeat(300)}`, /500/],
    [`a${'.a'.repeat(120)}`, /too large/],
    ['[@,@]|[@,@]|[@,@]', /too large/],
    ['to_string(to_string(to_string(to_string(to_string(@)))))', /too large/],
  ])('%s is refused', (text, message) => {
    expect(() => compileCallerExpression(text)(value)).toThrow(message)
  })

  test('reads own members only, also of values that are called like inherited ones', () => {
    expect(compileCallerExpression('a.b')(parseJson('{"__proto__":{"a":{"b":1}}}'))).toBeNull()
  })
})
