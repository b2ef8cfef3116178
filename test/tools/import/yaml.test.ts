import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { toComments, toYaml } from '../../../src/tools/import/yaml.ts'

test.each([
  ['with line breaks', 'GET /a\nid: other\r\u2028b: c', '# GET /a id: other b: c\n'],
  ['with one long word', 'x'.repeat(200), `# ${'x'.repeat(200)}\n`],
  ['without characters', '', ''],
])('a comment can hold a text %s', (_name, text, comment) => {
  expect(toComments([text])).toBe(comment)
})

test('a long comment breaks between words', () => {
  const lines = toComments(['word '.repeat(60)])
    .trimEnd()
    .split('\n')
  expect(lines.length).toBe(3)
  expect(lines.every(line => line.startsWith('# word') && line.length <= 113)).toBe(true)
})

test('a short collection is on one line, and YAML reads every value back', () => {
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
