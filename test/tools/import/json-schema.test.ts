import { expect, test } from 'vitest'
import { checkSchema } from '../../../src/cards/check-schema.ts'
import { convertSchema } from '../../../src/tools/import/json-schema.ts'
import { newBudget } from '../../../src/tools/import/schema-budget.ts'

function animal(kind: object) {
  return { type: 'object', required: ['kind'], properties: { kind: { type: 'string', ...kind } } }
}

function variant(name: string) {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', enum: [name] } },
  }
}

const components = {
  schemas: {
    Id: { type: 'string', minLength: 1 },
    Tree: {
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    },
    Cat: { allOf: [animal({})] },
    Dog: animal({}),
    Loop: { $ref: '#/components/schemas/Loop' },
  },
}

function converted(schema: unknown, direction: 'input' | 'output' = 'input', budget = newBudget()) {
  const notes = new Set<string>()
  const document = { components }
  const result = convertSchema(schema, { document, direction, notes, budget })
  return { result, notes: [...notes] }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test.each<[string, unknown, unknown]>([
  [
    'a required member that a closed object does not describe',
    { additionalProperties: false, required: ['a', 'b'], properties: { a: { type: 'string' } } },
    {
      type: 'object',
      additionalProperties: false,
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: {} },
    },
  ],
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
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    { anyOf: [{ type: 'number' }, { type: 'integer' }] },
  ],
  [
    'alternatives of different types',
    { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] },
    { oneOf: [{ type: 'string' }, { type: 'array', items: {} }] },
  ],
  [
    'alternatives with a required constant each',
    { oneOf: [variant('card'), variant('bank')] },
    { oneOf: [variant('card'), variant('bank')] },
  ],
  [
    'alternatives whose constants are optional',
    { oneOf: [{ ...variant('card'), required: ['a'] }, variant('bank')] },
    { anyOf: [{ ...variant('card'), required: ['a'] }, variant('bank')] },
  ],
  [
    'alternatives of a mapped discriminator',
    {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' },
      },
    },
    { oneOf: [animal({ const: 'cat' }), animal({ const: 'dog' })] },
  ],
  [
    'alternatives of a discriminator that several values of a mapping share',
    {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', lion: 'Cat', dog: 'Dog' } },
    },
    { oneOf: [animal({ enum: ['cat', 'lion'] }), animal({ const: 'dog' })] },
  ],
  [
    'alternatives of a discriminator without a mapping',
    { anyOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    { oneOf: [animal({ const: 'Cat' }), animal({ const: 'Dog' })] },
  ],
  ['a limit without a type', { minLength: 1 }, {}],
  ['items without a type', { items: { type: 'object' } }, {}],
  [
    'a limit beside a reference to an object',
    { minLength: 1, ...ref('Tree') },
    { type: 'object', properties: { kids: { type: 'array', items: { type: 'object' } } } },
  ],
  [
    'a limit in one part and the type in another',
    { allOf: [{ type: 'string' }, { minLength: 1 }] },
    { type: 'string', minLength: 1 },
  ],
  [
    'alternatives that leave their type to the schema around them',
    { type: 'string', anyOf: [{ maxLength: 3 }, { pattern: '^a' }] },
    {
      type: 'string',
      anyOf: [
        { type: 'string', maxLength: 3 },
        { type: 'string', pattern: '^a' },
      ],
    },
  ],
  [
    'parts that describe one member in two ways',
    {
      allOf: [
        { properties: { a: { type: 'string', pattern: '^a' } } },
        { properties: { a: { type: 'string', pattern: 'z$' } } },
      ],
    },
    {
      type: 'object',
      properties: {
        a: {
          allOf: [
            { type: 'string', pattern: '^a' },
            { type: 'string', pattern: 'z$' },
          ],
        },
      },
    },
  ],
  [
    'parts that contradict each other about one member',
    {
      allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { type: 'array' } } }],
    },
    { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'array' }] } } },
  ],
  [
    'a reference into a list',
    { $ref: '#/components/schemas/Cat/allOf/0' },
    { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
  ],
  ['the opposite of a part that loses a keyword', { not: { minLength: 1 } }, {}],
  [
    'a deprecated value',
    { type: 'string', deprecated: true },
    { type: 'string', deprecated: true },
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
  expect(() => checkSchema({ type: 'object', properties: { value: result } }, true)).not.toThrow()
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

test('leaves the deepest parts open if the whole does not fit, and names them', () => {
  const level = (name: string, inner: object) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 14 }, (_, n) => [`${name}${n}`, { ...inner, minProperties: n }]),
    ),
  })
  const leaf = {
    type: 'object',
    properties: { x: { type: 'string', minLength: 1, maxLength: 80 } },
  }
  const { result, notes } = converted(level('outer', level('inner', leaf)), 'input', {
    left: 20_000,
  })
  expect(JSON.stringify(result)).toContain('"inner13"')
  expect(JSON.stringify(result)).not.toContain('"x"')
  expect(notes).toEqual([
    expect.stringMatching(
      /does not fit into a card, so these allow any members: inner0, inner1, .* and 2 others\.$/,
    ),
  ])
})

test('allows any value for a schema that does not fit at all', () => {
  const wide = { type: 'object', properties: Object.fromEntries(many(400, { type: 'string' })) }
  const { result, notes } = converted(wide, 'input', { left: 1000 })
  expect({ result, notes }).toEqual({
    result: {},
    notes: [expect.stringMatching(/too large for a card/)],
  })
})

function many<T>(count: number, value: T): [string, T][] {
  return Array.from({ length: count }, (_, n) => [`m${n}`, value])
}

test('an output accepts null for each member that may be absent', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      bio: { type: 'string' },
      kind: { type: 'string', enum: ['a'] },
      owner: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  }
  expect(converted(schema, 'output').result.properties).toEqual({
    id: { type: 'string' },
    bio: { type: ['string', 'null'] },
    kind: { type: ['string', 'null'], enum: ['a', null] },
    owner: { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
  })
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
