import { expect, test } from 'vitest'
import { checkSchema } from '../../src/cards/check-schema.ts'
import { compileInput } from '../../src/cards/validate.ts'

const inMember = (member: object) => ({ type: 'object', properties: { member } })

/** Name, schema, message. */
const UNUSABLE = [
  ['an unknown keyword', { type: 'string', maxLenght: 3 }, 'unknown keyword: "maxLenght"'],
  [
    'an unknown keyword further down',
    { anyOf: [{ type: 'array', items: { sort: 1 } }] },
    'unknown keyword: "sort"',
  ],
  ['a keyword of another draft', { type: 'array', prefixItems: [] }, 'keyword: "prefixItems"'],
  ['an unknown format', { type: 'string', format: 'colour' }, 'unknown format "colour"'],
  ['an unknown type', { type: 'text' }, 'type must be equal to one of the allowed values'],
  ['a pattern that is none', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
  ['a limit that is none', { type: 'string', maxLength: '3' }, 'maxLength must be integer'],
  ['an empty choice', { enum: [] }, 'enum must NOT have fewer than 1 items'],
  ['nullable without a type', { nullable: true }, '"nullable" cannot be used without "type"'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, "can't resolve reference #/$defs/none"],
] as const

test.each(UNUSABLE)('a start and a thorough check refuse %s', (_name, member, message) => {
  expect(() => checkSchema(inMember(member), false)).toThrow(message)
  expect(() => checkSchema(inMember(member), true)).toThrow(message)
})

test.each([false, true])('an unknown draft is refused, thorough: %s', isThorough => {
  const schema = { $schema: 'https://example.com/draft', type: 'object' }
  expect(() => checkSchema(schema, isThorough)).toThrow('no schema with key or ref')
})

/** Name, schema, a valid value, an invalid value if there is one, message. */
const WITHOUT_EFFECT = [
  ['a limit without a type', { maxLength: 3 }, 'abc', 'abcd', 'missing type "string"'],
  [
    'a list of schemas without a length',
    { type: 'array', items: [{ type: 'string' }] },
    ['a'],
    [1],
    '"items" is 1-tuple',
  ],
  ['a condition without a consequence', { if: { type: 'string' } }, 1, null, '"if" without "then"'],
] as const

test.each(WITHOUT_EFFECT)(
  'only a thorough check refuses %s; a call goes by the schema',
  (_name, member, valid, invalid, message) => {
    const schema = inMember(member)
    expect(() => checkSchema(schema, true)).toThrow(message)
    expect(() => checkSchema(schema, false)).not.toThrow()
    const parse = compileInput('thing.view', schema)
    expect(parse({ member: valid })).toEqual({ member: valid })
    if (invalid !== null) expect(() => parse({ member: invalid })).toThrow('member')
  },
)

test('annotations, references within the schema and all formats of cards pass both', () => {
  const text = { type: ['string', 'null'], title: 'x', default: null, example: 1, examples: ['a'] }
  const formats = ['date-time', 'uri', 'graphql-query'].map(format => ({ type: 'string', format }))
  const schema = {
    type: 'object',
    definitions: { text },
    properties: { text: { $ref: '#/definitions/text' }, any: { anyOf: formats } },
    additionalProperties: { type: 'string', nullable: true, readOnly: true },
  }
  expect(() => checkSchema(schema, true)).not.toThrow()
  expect(() => checkSchema(schema, false)).not.toThrow()
})
