import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolName } from '../../routes/support/mcp-tools.ts'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import { BYTES, toldSchema } from '../../src/cards/told-schema.ts'
import type { JsonSchema } from '../../src/model/card.ts'
import { loadPacks } from '../support/packs.ts'
import { inputsFor } from './inputs-for.ts'
import { faultsOf, openObjects, PROVIDERS } from './providers.ts'

const { cards } = await loadPacks(packDirectories(PACKS))
const ALL = [...cards.values()]

describe('the tools of all packs', () => {
  const tools = ALL.map(({ id, input }) => ({
    name: toolName(id),
    inputSchema: { ...toldSchema(input) },
  }))

  test.each(PROVIDERS.map(provider => [provider.name, provider] as const))(
    'keep the limits that %s publishes',
    (_name, provider) => {
      expect(tools.flatMap(tool => faultsOf(provider, tool))).toEqual([])
    },
  )

  test('are closed for strict mode, but for members whose names callers choose', () => {
    const open = tools.flatMap(({ name, inputSchema }) =>
      openObjects(inputSchema).map(path => `${name}${path}`),
    )
    expect(open.sort()).toEqual([
      'gist_create.files',
      'gist_update.files',
      'graphql_query.variables',
      'npm_package_publish.dependencies',
      'workflow_dispatch.inputs',
    ])
  })

  test('have a description for every member in their cards', () => {
    const silent = (schema: JsonSchema, path: string): string[] =>
      Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(
        ([name, member]) => [
          ...(member.description === undefined ? [`${path}.${name}`] : []),
          ...silent(member, `${path}.${name}`),
          ...silent((member.items ?? {}) as JsonSchema, `${path}.${name}[]`),
        ],
      )
    expect(ALL.flatMap(({ id, input }) => silent(input, id))).toEqual([])
  })
})

const ajv = new Ajv({ strict: false, formats: {} })

describe('an input that a card accepts', () => {
  test.each(ALL.map(card => [card.id, card] as const))(
    'keeps the told schema too: %s',
    (_id, card) => {
      const isTold = ajv.compile(toldSchema(card.input))
      let accepted = 0
      fc.assert(
        fc.property(inputsFor(card.input), input => {
          try {
            card.parseInput(input)
          } catch {
            return
          }
          accepted++
          expect({ input, faults: isTold(input) ? null : isTold.errors }).toMatchObject({
            faults: null,
          })
        }),
        { numRuns: 40, seed: 17 },
      )
      expect(accepted, 'inputs that the card accepts').toBeGreaterThan(0)
    },
  )
})

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

/** A member of a full schema, and how models are told of it. */
const MEMBERS: readonly (readonly [string, object, object])[] = [
  [
    'drops bounds and patterns',
    { type: 'string', minLength: 1, maxLength: 9, pattern: '^(?!x)', description: 'A.' },
    { type: 'string', description: 'A.' },
  ],
  [
    'names the format and the default in the description',
    { type: 'string', format: 'date', default: '2026-01-02', description: 'A day' },
    { type: 'string', description: 'A day. Format date. Default 2026-01-02.' },
  ],
  [
    'says Base64 once for bytes',
    { type: 'string', format: 'byte', description: 'The file' },
    { type: 'string', [BYTES]: true, description: 'The file. In Base64.' },
  ],
  [
    'leaves a description as it is that says Base64 itself',
    { type: 'string', format: 'byte', description: 'The bytes in Base64.' },
    { type: 'string', [BYTES]: true, description: 'The bytes in Base64.' },
  ],
  [
    'spares the default of a flag that is off',
    { type: 'boolean', default: false, description: 'A.' },
    { type: 'boolean', description: 'A.' },
  ],
  [
    'describes a member that has no description by its name',
    { type: 'integer' },
    { type: 'integer', description: 'Issue number.' },
  ],
  [
    'keeps texts to choose from, and tells others',
    { enum: ['a', 'b', 3, null], description: 'A.' },
    {
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'number' }, { type: 'null' }],
      description: 'A. Only 3.',
    },
  ],
  [
    'tells several types as alternatives',
    { type: ['string', 'null'], description: 'A.' },
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A.' },
  ],
  [
    'tells alternatives that differ in patterns as one',
    {
      oneOf: [
        { type: 'string', pattern: 'a' },
        { type: 'string', pattern: 'b' },
      ],
      title: 'T',
    },
    { type: 'string', description: 'Issue number.' },
  ],
  [
    'writes references and parts out',
    { allOf: [{ $ref: '#/$defs/line' }, { description: 'A.' }] },
    { type: 'integer', description: 'A.' },
  ],
  [
    'ends a schema that contains itself',
    { $ref: '#/$defs/tree' },
    expect.objectContaining({ type: 'object' }),
  ],
  [
    'keeps a map',
    { type: 'object', additionalProperties: { type: 'string', maxLength: 9 }, description: 'A.' },
    { type: 'object', additionalProperties: { type: 'string' }, description: 'A.' },
  ],
  [
    'says that a value may be anything by saying nothing',
    { description: 'A.', anyOf: [{ type: 'string' }, {}] },
    { description: 'A.' },
  ],
]

test.each(MEMBERS)('the told schema %s', (_what, member, told) => {
  const $defs = {
    line: { type: 'integer', minimum: 1 },
    tree: object({ child: { $ref: '#/$defs/tree' } }),
  }
  const schema = object({ issueNumber: member }, { $defs, $schema: 'x', title: 'T' })
  expect(toldSchema(schema)).toEqual(object({ issueNumber: told }))
})

test.each([
  ['oneOf', 'Exactly one of a, b with c.'],
  ['anyOf', 'At least one of a, b with c.'],
])('a choice between members at the top, by %s, becomes a sentence', (keyword, description) => {
  const choice = { [keyword]: [{ required: ['a'] }, { required: ['b', 'c'] }] }
  const schema = object({ a: { type: 'string', description: 'A.' } }, choice)
  expect(toldSchema(schema)).toEqual({
    ...object({ a: { type: 'string', description: 'A.' } }),
    description,
  })
})
