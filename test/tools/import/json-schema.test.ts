import { expect, test } from 'vitest'
import { compileInput } from '../../../src/cards/validate.ts'
import { convertSchema } from '../../../src/tools/import/json-schema.ts'

const components = {
  schemas: {
    Id: { type: 'string', minLength: 1 },
    Tree: {
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    },
    Loop: { $ref: '#/components/schemas/Loop' },
  },
}

function converted(schema: unknown, direction: 'input' | 'output' = 'input') {
  const notes = new Set<string>()
  const document = { components }
  const result = convertSchema(schema, { document, direction, notes, budget: { left: 100 } })
  return { result, notes: [...notes] }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test.each<[string, unknown, unknown]>([
  ['nullable of 3.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'nullable beside an enum',
    { type: 'string', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable beside a reference',
    { nullable: true, allOf: [ref('Id')] },
    { type: ['string', 'null'], minLength: 1 },
  ],
  [
    'null among the alternatives of 3.1',
    { anyOf: [ref('Id'), { type: 'null' }] },
    { type: ['string', 'null'], minLength: 1 },
  ],
  [
    'a flag for an exclusive bound',
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
    { type: 'integer', exclusiveMinimum: 0 },
  ],
  [
    'the exclusive bound of 3.1',
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', exclusiveMinimum: 0 },
  ],
  ['an implied type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
  [
    'alternatives that may overlap',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  ['a format that restricts nothing', { type: 'integer', format: 'int32' }, { type: 'integer' }],
  ['a default, which is up to the service', { type: 'integer', default: 1 }, { type: 'integer' }],
  ['extensions', { type: 'string', 'x-go-name': 'A', xml: {} }, { type: 'string' }],
  ['values listed twice', { enum: ['a', 'a'] }, { enum: ['a'] }],
  [
    'parts that close each other',
    { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }] },
    { type: 'object', properties: { a: {}, b: {} } },
  ],
  [
    'parts that contradict each other',
    { allOf: [{ type: 'string' }, { type: 'array' }] },
    { allOf: [{ type: 'string' }, { type: 'array' }] },
  ],
  [
    'a schema that contains itself',
    ref('Tree'),
    { type: 'object', properties: { kids: { type: 'array', items: { type: 'object' } } } },
  ],
  ['a schema that is only itself', ref('Loop'), {}],
])('converts %s', (_name, schema, expected) => {
  const { result } = converted(schema)
  expect(result).toEqual(expected)
  expect(() => compileInput('x', { type: 'object', properties: { value: result } })).not.toThrow()
})

test.each([
  [
    'a keyword that cards do not have',
    { type: 'object', unevaluatedProperties: false },
    /lacks the keyword "unevaluatedProperties"/,
  ],
  [
    'a pattern of another language',
    { type: 'string', pattern: '(?i)a' },
    /lacks the pattern "\(\?i\)a"/,
  ],
  [
    'a keyword of another type',
    { type: 'string', items: {} },
    /A schema of type string lacks the keyword items/,
  ],
])('notes %s', (_name, schema, note) => {
  expect(converted(schema).notes.join('\n')).toMatch(note)
})

test('stops converting at its budget', () => {
  const wide = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`m${n}`, { type: 'string', minLength: 1 }]),
    ),
  }
  const { result, notes } = converted(wide)
  expect(JSON.stringify(result).split('minLength').length - 1).toBe(99)
  expect(notes).toHaveLength(1)
})

test('an output keeps the shape of an answer, but not the limits of its values', () => {
  const schema = {
    type: 'object',
    required: ['at', 'secret'],
    properties: {
      at: { type: 'string', format: 'date-time', maxLength: 9 },
      secret: { type: 'string', writeOnly: true },
    },
  }
  expect(converted(schema, 'output').result).toEqual({
    type: 'object',
    required: ['at'],
    properties: { at: { type: 'string' } },
  })
})
