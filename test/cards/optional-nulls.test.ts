import { expect, test } from 'vitest'
import { withoutOptionalNulls } from '../../src/cards/optional-nulls.ts'

const schema = {
  type: 'object',
  required: ['must'],
  properties: {
    must: { type: 'string' },
    may: { type: 'string' },
    clear: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    neither: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    word: { enum: ['a', 'b'] },
    wordOrNull: { enum: ['a', null] },
    nullable: { type: 'string', nullable: true },
    both: { allOf: [{ type: ['string', 'null'] }, { type: 'string' }] },
    line: { $ref: '#/$defs/line' },
    any: {},
    map: { type: 'object', additionalProperties: {} },
    list: { type: 'array', items: { $ref: '#/$defs/item' } },
  },
  additionalProperties: false,
  $defs: {
    line: { type: 'integer' },
    item: { type: 'object', properties: { a: { type: 'string' }, b: {} } },
  },
}

test.each([
  ['an optional member', { may: null }, {}],
  ['its siblings stay', { may: null, must: 'x' }, { must: 'x' }],
  ['alternatives of which none is null', { neither: null }, {}],
  ['one of several words', { word: null }, {}],
  ['a part of allOf that takes no null', { both: null }, {}],
  ['a reference', { line: null }, {}],
  ['members of items', { list: [{ a: null, b: 1 }] }, { list: [{ b: 1 }] }],
])('null is left out: %s', (_what, input, expected) => {
  expect(withoutOptionalNulls(input, schema)).toEqual(expected)
})

test.each([
  ['for a required member', { must: null }],
  ['where the type takes it', { clear: null }],
  ['where an alternative takes it', { either: null }],
  ['among the words', { wordOrNull: null }],
  ['where the member is nullable', { nullable: null }],
  ['where anything goes', { any: null }],
  ['in a map', { map: { a: null } }],
  ['in a list', { list: [null, { b: null }] }],
  ['for an unknown member', { other: null }],
  ['as the whole input', null],
])('null stays %s', (_what, input) => {
  expect(withoutOptionalNulls(input, schema)).toBe(input)
})
