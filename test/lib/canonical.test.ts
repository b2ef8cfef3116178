import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/lib/canonical.ts'
import { parseJson } from '../../src/lib/exact-json.ts'

describe('canonical JSON', () => {
  test.each([
    ['a flat object', '{"a":1,"b":"x","c":null,"d":true}', '{"d":true,"c":null,"b":"x","a":1}'],
    ['members whose names are numbers', '{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
    [
      'objects in objects',
      '{"a":{"b":1,"c":2},"d":[{"e":1,"f":2}]}',
      '{"d":[{"f":2,"e":1}],"a":{"c":2,"b":1}}',
    ],
    [
      'a number of many digits',
      '{"a":12345678901234567890,"b":1}',
      '{"b":1,"a":12345678901234567890}',
    ],
    ['names that need escapes', '{"\\"":1,"b\\n":2}', '{"b\\n":2,"\\"":1}'],
  ])('is the same for %s, whatever the order of its members', (_name, one, other) => {
    expect(canonicalJson(parseJson(one))).toBe(one)
    expect(canonicalJson(parseJson(other))).toBe(one)
  })

  test('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
    expect(canonicalJson({ b: { a: 1 }, a: undefined })).toBe('{"b":{"a":1}}')
  })
})
