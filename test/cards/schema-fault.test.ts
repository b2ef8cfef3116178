import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { compileInput } from '../../src/cards/validate.ts'

type Schema = Readonly<Record<string, unknown>>
const { $defs } = load(readFileSync('capabilities/github/upstream.yaml', 'utf8')) as {
  $defs: Readonly<Record<string, Schema>>
}

/** The message about one member `it`, or about the whole input. */
function messageOf(schema: Schema, input: unknown): string {
  const parse = compileInput('thing.make', { type: 'object', ...schema })
  try {
    parse(input)
  } catch (error) {
    return (error as Error).message
      .replace('Input of thing.make: ', '')
      .replace(/ ?Members: .*/, '')
  }
  return 'is taken'
}

const it = (schema: Schema) => ({ properties: { it: schema } })

const LIMIT = { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|200)$', description: '1 to 200.' }
const ORIGIN = { type: 'string', pattern: '^https?://[a-z.]+$' }
const TIME = {
  type: 'string',
  pattern: '^(\\d+|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d))$',
}

describe('a text says what is wrong with it', () => {
  test.each([
    [LIMIT, '201', '"it" does not have the right form: 1 to 200.'],
    [LIMIT, '1000', '"it" does not have the right form: 1 to 200.'],
    [LIMIT, '1.5', '"it" must not have ".".'],
    // Not its length is wrong: longer and shorter texts match.
    [ORIGIN, 'https://a.b/c/d', `"it" must match pattern "${ORIGIN.pattern}".`],
    // A plus sign that was not encoded.
    [TIME, '2026-11-30T07:44 01:00', '"it" must not have a space.'],
  ])('%j with %j', (schema, text, message) => {
    expect(messageOf(it(schema), { it: text })).toBe(message)
  })

  test.each([
    ['owner', 'a/b', '"it" must not have "/".'],
    ['owner', '-a', '"it" must not begin with "-".'],
    ['owner', '', '"it" must not be empty.'],
    ['owner', 'a b', '"it" must not have a space.'],
    ['owner', 'a'.repeat(40), '"it" must have at most 39 characters.'],
    ['name', '..', '"it" must not have the segment "..".'],
    ['name', 'a b?', '"it" must not have a space, "?".'],
    ['sha', 'abc', '"it" must have at least 40 characters.'],
    ['sha', 'g'.repeat(40), '"it" must not have "g".'],
    ['ref', '-x', '"it" must not begin with "-".'],
    ['ref', 'a..b', '"it" must not have ".".'],
    ['ref', 'a.lock', '"it" must not end with ".lock".'],
    ['ref', 'a b', '"it" must not have a space.'],
    ['ref', 'a\u0000b', '"it" must not have the control character U+0000.'],
    ['path', 'a/../b', '"it" must not have the segment "..".'],
    ['path', './a', '"it" must not have the segment ".".'],
    ['path', '/a', '"it" must not begin with "/".'],
    ['path', 'a//b', '"it" must not have an empty segment.'],
    ['path', 'a\u0007', '"it" must not have the control character U+0007.'],
    ['label', '   ', '"it" must not consist of spaces only.'],
    ['label', 'a/..', '"it" must not have the segment "..".'],
    ['title', 'a\u0000', '"it" must not have the control character U+0000.'],
    ['commitMessage', ' x\ny', '"it" must not have the control character U+000A.'],
    ['nameWithOwner', 'octo-org', /^"it" must have a form such as ".+\/.+"\.$/],
    ['nodeId', 'a b', '"it" must not have a space.'],
    ['teamSlug', 'Core', '"it" must not have "C".'],
    ['workflow', 'ci.txt', /^"it" must have a form such as "ci\.yml"\.$/],
    ['workflow', 0, '"it" must be at least 1.'],
    ['workflow', true, /^"it" must be integer, or string\.$/],
    ['templateFile', 'a/b', '"it" must not have "/".'],
    ['threadId', 'x', '"it" must not have "x".'],
    ['gistContent', ' \n', '"it" must not consist of spaces only.'],
    ['packageSlug', '/a', '"it" must not begin with "/".'],
  ])('%s %j', (name, value, message) => {
    const schema = $defs[name]
    const resolved = JSON.parse(
      JSON.stringify(schema).replaceAll('{"$ref":"#/$defs/id"}', JSON.stringify($defs.id)),
    )
    if (typeof message === 'string') expect(messageOf(it(resolved), { it: value })).toBe(message)
    else expect(messageOf(it(resolved), { it: value })).toMatch(message)
  })

  const text = (pattern: string, more: Schema = {}) => it({ type: 'string', pattern, ...more })
  test.each([
    [text('^v\\d$'), '"it" must match pattern "^v\\d$".'],
    [
      text('^v\\d$', { description: 'A version.' }),
      '"it" does not have the right form: A version.',
    ],
    [text('^v\\d$', { examples: ['v1'] }), '"it" must have a form such as "v1".'],
    [
      text(`^(?:${'long'.repeat(20)}|v\\d)$`),
      '"it" does not have the form that its schema declares.',
    ],
  ])('of an unknown form: %j', (schema, message) => {
    expect(messageOf(schema, { it: 'zz' })).toBe(message)
  })

  test('an endless text is not searched', () => {
    expect(messageOf(text('^[a-z]*$'), { it: `${'a'.repeat(1_000_000)}!` })).toMatch(/must match/)
  })
})

const a = { type: 'string' }
const abc = { properties: { a, b: a, c: a } }
const either = { anyOf: [{ required: ['a'] }, { required: ['b'] }] }

describe('each keyword is told in words', () => {
  test.each([
    [it({ type: 'string' }), { it: 1 }, '"it" must be string.'],
    [it({ type: ['string', 'null'] }), { it: 1 }, '"it" must be string or null.'],
    [it({ enum: ['a', 'b'] }), { it: 1 }, '"it" must be one of a, b.'],
    [it({ const: 'a' }), { it: 1 }, '"it" must be "a".'],
    [it({ type: 'string', minLength: 1 }), { it: '' }, '"it" must not be empty.'],
    [it({ type: 'string', minLength: 3 }), { it: '' }, '"it" must have at least 3 characters.'],
    [it({ type: 'string', maxLength: 1 }), { it: 'ab' }, '"it" must have at most 1 characters.'],
    [it({ type: 'integer', minimum: 1 }), { it: 0 }, '"it" must be at least 1.'],
    [it({ type: 'integer', maximum: 1 }), { it: 2 }, '"it" must be at most 1.'],
    [it({ type: 'integer', exclusiveMinimum: 1 }), { it: 1 }, '"it" must be > 1.'],
    [it({ type: 'integer', multipleOf: 2 }), { it: 1 }, '"it" must be multiple of 2.'],
    [it({ type: 'array', minItems: 1 }), { it: [] }, '"it" must have at least 1 item.'],
    [it({ type: 'array', maxItems: 1 }), { it: [1, 2] }, '"it" must have at most 1 item.'],
    [it({ type: 'array', uniqueItems: true }), { it: [1, 1] }, '"it.1" repeats item 0.'],
    [
      it({ type: 'array', contains: a }),
      { it: [] },
      /^"it" must have at least 1 item of the right/,
    ],
    [it({ type: 'string', format: 'uri' }), { it: 'x' }, /^"it" must be a URL such as/],
    [it({ type: 'string', format: 'ipv4' }), { it: 'x' }, '"it" must match format "ipv4".'],
    [
      it({ type: 'object', maxProperties: 0 }),
      { it: { a: 1 } },
      '"it" must have at most 0 members.',
    ],
    [it({ type: 'object', minProperties: 1 }), { it: {} }, '"it" must have at least 1 member.'],
    [
      it({ type: 'object', propertyNames: { pattern: '^[a-z]+$' } }),
      { it: { 'a-b': 1 } },
      '"it.a-b" is a name that must not have "-".',
    ],
    [{ ...abc, required: ['a'], minProperties: 2 }, { a: 'x' }, 'needs at least one of b, c.'],
    [{ ...abc, minProperties: 2 }, {}, 'needs at least 2 of a, b, c.'],
    [{ ...abc, additionalProperties: false }, { d: 1 }, '"d" is not a known member.'],
    [{ ...abc, dependentRequired: { a: ['b'] } }, { a: 'x' }, '"b" is required if a is given.'],
    [{ ...abc, ...either }, {}, /^"a" is required, unless b is given \(also "b"\)/],
    // A file that came as a text: first it has to be an object.
    [
      it({
        type: 'object',
        ...abc,
        oneOf: either.anyOf.map(part => ({ type: 'object', ...part })),
      }),
      { it: 'text' },
      /^"it" must be object\.$/,
    ],
    [{ ...abc, oneOf: either.anyOf }, {}, /^"a" is required, unless b is given \(also "b"\)/],
    [{ ...abc, oneOf: either.anyOf }, { a: 'x', b: 'x' }, /^"a" excludes b \(also "b"\)/],
    [{ ...abc, not: { required: ['a', 'b'] } }, { a: 'x', b: 'x' }, /^"a" excludes b \(also "b"\)/],
    [{ ...abc, not: { required: ['a'] } }, { a: 'x' }, '"a" must be left out.'],
    [
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { ...abc, if: { required: ['a'] }, then: { required: ['b'] } },
      { a: 'x' },
      '"b" is required.',
    ],
    [
      it({ anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[a-z]$' }] }),
      { it: '' },
      '"it" must not be empty.',
    ],
    [
      it({ oneOf: [{ type: 'integer' }, { type: 'null' }] }),
      { it: '' },
      '"it" must be integer, or null.',
    ],
    [it({ not: { type: 'string' } }), { it: '' }, '"it" has a value that is not allowed.'],
    [{ properties: { it: false } }, { it: '' }, '"it" must be left out.'],
  ] as readonly (readonly [Schema, unknown, string | RegExp])[])('%j', (schema, input, message) => {
    const said = messageOf(schema, input)
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })
})
