import { expect, test } from 'vitest'
import { compileInput } from '../../src/cards/validate.ts'

const parse = compileInput('file.put', {
  type: 'object',
  properties: { content: { type: 'string', format: 'byte' } },
})

test.each(['', 'YQ==', 'YWI=', 'YWJj', 'A'.repeat(8_000_000)])('Base64 is taken, %#', content => {
  expect(parse({ content })).toEqual({ content })
})

test.each(['Y', 'YQ', 'YQ=', '****', 'YW\nJj', `${'A'.repeat(8_000_000)}=`])(
  'other texts are not, %#',
  content => {
    expect(() => parse({ content })).toThrow(/"content" must be Base64/)
  },
)
