import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { toComments, toYaml } from '../../../src/tools/import/yaml.ts'

test.each([
  ['of several lines', 'GET /a\nid: other\r\u2028b: c', '# GET /a id: other b: c\n'],
  ['of one long word', 'x'.repeat(200), `# ${'x'.repeat(200)}\n`],
  ['that are none', '', ''],
])('a comment holds texts %s', (_name, text, comment) => {
  expect(toComments([text])).toBe(comment)
})

test('a long comment is broken between words', () => {
  const lines = toComments(['word '.repeat(60)])
    .trimEnd()
    .split('\n')
  expect(lines.length).toBe(3)
  expect(lines.every(line => line.startsWith('# word') && line.length <= 113)).toBe(true)
})

test('what fits is written in one line, and all of it is read back', () => {
  const value = {
    input: {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, '#b': { enum: ['no', '1', null] } },
    },
    text: 'quote \' and " and ${x}: {y}',
    document: 'query {\n  a\n}\n',
    long: 'word '.repeat(50),
  }
  expect(toYaml(value)).toContain(
    '  properties: {a: {type: [string, "null"]}, "#b": {enum: ["no", "1", null]}}\n',
  )
  expect(load(toYaml(value))).toEqual(value)
})
