import { expect, test } from 'vitest'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import { signatureOf } from '../../src/cards/signature.ts'
import type { JsonSchema } from '../../src/model/card.ts'
import { loadPacks } from '../support/packs.ts'

const { cards } = await loadPacks(packDirectories(PACKS))
const input = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const long = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`aLongMember${n}`, { type: 'string' }]),
)

test.each([
  ['an input without members', input({}), ''],
  [
    'required members before the others',
    input({ b: { type: 'integer' }, a: { type: 'string' } }, { required: ['a'] }),
    'a: string, b?: integer',
  ],
  ['texts to choose from', input({ a: { enum: ['x', 'y'] } }), 'a?: "x"|"y"'],
  [
    'lists of them',
    input({ a: { type: 'array', items: { enum: ['x', 'y'] } } }),
    'a?: ("x"|"y")[]',
  ],
  ['several types', input({ a: { type: ['integer', 'string'] } }), 'a?: integer|string'],
  [
    'objects, with their members',
    input({
      a: { type: 'array', items: input({ b: { type: 'string' }, c: {} }, { required: ['b'] }) },
    }),
    'a?: {b: string, c?: any}[]',
  ],
  ['bytes in Base64', input({ a: { type: 'string', format: 'byte' } }), 'a?: base64'],
  [
    'bytes in Base64 among other values',
    input({ a: { type: ['null', 'string'], format: 'byte' } }),
    'a?: null|base64',
  ],
  [
    'bytes in Base64 of each item',
    input({ a: { type: 'array', items: input({ b: { type: 'string', format: 'byte' } }) } }),
    'a?: {b?: base64}[]',
  ],
  [
    'a choice between members',
    input(
      { a: { type: 'string' }, b: { type: 'string' } },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    'a?: string, b?: string (Exactly one of a, b.)',
  ],
])('a signature shows %s', (_what, schema: JsonSchema, signature) => {
  expect(signatureOf(schema)).toBe(signature)
})

test('a long signature leaves out the types of optional members only', () => {
  const schema = input({ ...long, key: { type: 'string' } }, { required: ['key'] })
  expect(signatureOf(schema)).toMatch(/^key: string, aLongMember0\?, aLongMember1\?, /)
})

test('the signature of every shipped capability names every member of its input', () => {
  const missing = [...cards.values()].flatMap(card => {
    const names = Object.keys((card.input.properties ?? {}) as object)
    const signature = signatureOf(card.input)
    return names.filter(name => !signature.includes(name)).map(name => `${card.id} ${name}`)
  })
  expect(missing).toEqual([])
})

test('the signature of every shipped capability that always takes Base64 says so', () => {
  const bytes = [...cards.values()].filter(({ id }) => id.startsWith('release.'))
  const signatures = bytes.map(({ input: schema }) => signatureOf(schema)).join('\n')
  expect(signatures.match(/content: \w+/g)).toEqual(['content: base64', 'content: base64'])
})
