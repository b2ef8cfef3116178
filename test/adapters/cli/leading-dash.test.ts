import { expect, test } from 'vitest'
import { forbidsLeadingDash } from '../../../adapters/cli/leading-dash.ts'

const text = (pattern: string) => ({ type: 'string', pattern })

test.each([
  text('^(?!-)'),
  text('^(?!-)[\\s\\S]*$'),
  text('^[a-z0-9]+$'),
  text('^[^-]'),
  text('^[^\\s-].*$'),
  text('^\\w+(-\\w+)*$'),
  text('^v\\d+'),
  text('^[a|b]'),
  text('^a(?:b|-c)$'),
  text('^/'),
  { enum: ['a', 'b-c', 7] },
  { type: 'integer', minimum: 0 },
  { type: 'boolean' },
  { type: 'array', items: text('^[a-z]') },
])('%j cannot begin with a dash', schema => {
  expect(forbidsLeadingDash(schema)).toBe(true)
})

test.each([
  text('[a-z]+'),
  text('^[a-z]*$'),
  text('^[a-z]?-x'),
  text('^[a-z]{0,3}'),
  text('^[a-]'),
  text('^[^a]'),
  text('^.+$'),
  text('^-'),
  text('^a|-b'),
  text('^(?:a|-b)$'),
  text('^\\S'),
  text('^(?!-|a)x|-'),
  text('a^'),
  text(''),
  { type: 'string' },
  { type: 'string', minLength: 1 },
  { enum: ['a', '-b'] },
  { type: 'integer' },
  { type: 'integer', minimum: -1 },
  { type: 'array', items: { type: 'string' } },
  { type: ['string', 'integer'], pattern: '^a' },
  {},
  null,
])('%j may', schema => {
  expect(forbidsLeadingDash(schema)).toBe(false)
})
