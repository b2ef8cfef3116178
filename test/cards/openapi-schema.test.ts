import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { hasReferences, toOpenapiSchema } from '../../src/cards/openapi-schema.ts'

const draft7 = new Ajv({ strict: false })
const draft2020 = new Ajv2020({ strict: false })

/** A schema of draft 7, values that fit it, and values that do not. */
const CASES: readonly (readonly [string, object, readonly unknown[], readonly unknown[]])[] = [
  [
    'a tuple',
    { items: [{ type: 'number' }, { type: 'string' }], additionalItems: false },
    [[1, 'a']],
    [
      ['a', 1],
      [1, 'a', 2],
    ],
  ],
  ['a list', { items: { type: 'number' } }, [[1, 2]], [['a']]],
  ['a list of anything', { type: 'array', maxItems: 1 }, [[1], ['a'], []], [[1, 2]]],
  ['additionalItems without a tuple', { items: {}, additionalItems: false }, [[1, 2]], []],
  [
    'members that need others',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
    ],
    [{ a: 1 }, { c: 1 }],
  ],
  ['a text or null', { type: 'string', nullable: true }, ['a', null], [1]],
  [
    'definitions',
    {
      $ref: '#/definitions/tree',
      definitions: {
        tree: {
          type: 'object',
          properties: { left: { $ref: '#/definitions/tree' } },
          additionalProperties: false,
        },
      },
    },
    [{ left: { left: {} } }],
    [{ left: { right: 1 } }],
  ],
  [
    'members with the names of keywords',
    { properties: { items: { type: 'string' }, $ref: { type: 'string' } } },
    [{ items: 'a', $ref: 'b' }],
    [{ items: 1 }],
  ],
]

test.each(CASES)('%s means the same in both drafts', (_what, schema, good, bad) => {
  const converted = toOpenapiSchema(schema as never, '#')
  const [before, after] = [draft7.compile(schema), draft2020.compile(converted)]
  for (const value of good)
    expect([value, before(value), after(value)]).toEqual([value, true, true])
  for (const value of bad)
    expect([value, before(value), after(value)]).toEqual([value, false, false])
})

test('references begin where the schema stands', () => {
  const schema = {
    properties: { a: { $ref: '#/definitions/b' }, c: { $ref: '#' } },
    definitions: { b: true },
  }
  expect(hasReferences(schema)).toBe(true)
  expect(hasReferences({ type: 'string' })).toBe(false)
  expect(toOpenapiSchema(schema, '#/components/schemas/x')).toEqual({
    properties: {
      a: { $ref: '#/components/schemas/x/$defs/b' },
      c: { $ref: '#/components/schemas/x' },
    },
    $defs: { b: true },
  })
})
