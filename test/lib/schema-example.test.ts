import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { exampleOf, isFullyHeeded } from '../../src/lib/schema-example.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))
const VALUES = { owner: 'octo-org', title: 'The answer is wrong', labels: 'no list', number: 7 }
const node = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
}

describe('an example is valid, and takes the given values where it can', () => {
  test.each<readonly [string, object, unknown]>([
    [
      'required members only',
      objectOf({ owner: text(), other: text() }, ['owner']),
      { owner: 'octo-org' },
    ],
    [
      'a name of another type',
      objectOf({ labels: { type: 'array', items: text() } }, ['labels']),
      { labels: ['label'] },
    ],
    [
      'a value out of bounds',
      objectOf({ number: { type: 'integer', maximum: 3 } }, ['number']),
      { number: 1 },
    ],
    [
      'a value that the pattern refuses',
      objectOf({ owner: text({ pattern: '^[0-9a-f]{40}$' }) }, ['owner']),
      { owner: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ],
    [
      'its own examples first',
      objectOf({ owner: text({ examples: ['hubot'] }) }, ['owner']),
      { owner: 'hubot' },
    ],
    ['a default', objectOf({ size: { type: 'integer', default: 30 } }, ['size']), { size: 30 }],
    ['an enum', { enum: ['a', 'b'] }, 'a'],
    ['a const', { const: 'only' }, 'only'],
    ['a format', text({ format: 'date-time' }), '2026-01-31T12:00:00Z'],
    ['several types', { type: ['null', 'integer'] }, null],
    [
      'the first alternative',
      { anyOf: [objectOf({ title: text() }, ['title']), { type: 'null' }] },
      { title: 'The answer is wrong' },
    ],
    [
      'what holds beside an alternative',
      {
        ...objectOf({ owner: text() }, ['owner']),
        oneOf: [{ required: ['title'], properties: { title: text() } }],
      },
      { owner: 'octo-org', title: 'The answer is wrong' },
    ],
    [
      'all parts',
      { allOf: [objectOf({ owner: text() }, ['owner']), objectOf({ title: text() }, ['title'])] },
      { owner: 'octo-org', title: 'The answer is wrong' },
    ],
    ['a definition', { $ref: '#/$defs/node', $defs: { node } }, { name: 'name' }],
    [
      'members that it must have some of',
      { ...objectOf({ title: text() }, []), minProperties: 1 },
      { title: 'The answer is wrong' },
    ],
    ['a long text', text({ minLength: 50 }), 'x'.repeat(50)],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }, text()] }, [1, 'example']],
    ['a multiple', { type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }, 5],
  ])('%s', (_what, schema, expected) => {
    const example = exampleOf(schema as never, VALUES)
    expect(example).toEqual(expected)
    expect(ajv.validate(schema, example)).toBe(true)
  })
})

test.each([
  ['a pattern that no candidate fits', text({ pattern: '^q{7}$' })],
  ['a format that only its author knows', text({ format: 'graphql-query' })],
  [
    'a schema that needs itself',
    {
      $ref: '#/$defs/endless',
      $defs: { endless: objectOf({ next: { $ref: '#/$defs/endless' } }, ['next']) },
    },
  ],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema' }],
  ['false', { items: false, minItems: 1, type: 'string', enum: [], pattern: '^q{7}$' }],
])('there is no example for %s', (_what, schema) => {
  expect(exampleOf(schema as never, VALUES)).toBeUndefined()
})

test('says whether keywords remain that it does not heed', () => {
  expect(isFullyHeeded({ type: 'string' })).toBe(true)
  expect(isFullyHeeded({ type: 'object', propertyNames: { maxLength: 3 } })).toBe(false)
})

function text(more: object = {}): object {
  return { type: 'string', ...more }
}

function objectOf(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required: [...required] }
}
