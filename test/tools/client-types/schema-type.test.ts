import { expect, test } from 'vitest'
import { schemaType } from '../../../src/tools/client-types/schema-type.ts'

test.each<[unknown, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, '(string | null)'],
  [{ enum: ['a', null, 1] }, '("a" | null | 1)'],
  [{ const: 'a' }, '"a"'],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [
    { type: 'array', items: { type: 'array', items: { type: 'boolean' } } },
    'readonly (readonly boolean[])[]',
  ],
  [{ type: 'array' }, 'readonly unknown[]'],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' }, 'b-c': {} } },
    '{ readonly "a": string; readonly "b-c"?: unknown }',
  ],
  [
    { type: 'object', additionalProperties: { type: 'number' } },
    '{ readonly [name: string]: number }',
  ],
  [{ type: 'object' }, '{ readonly [name: string]: unknown }'],
  [{ type: 'object', additionalProperties: false }, '{ readonly [name: string]: never }'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, '(string | number)'],
  [{ oneOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
  [
    { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
    '{ readonly "a"?: string }',
  ],
  [{}, 'unknown'],
  [true, 'unknown'],
])('%j becomes %s', (schema, type) => {
  expect(schemaType(schema)).toBe(type)
})
