import { describe, expect, test } from 'vitest'
import { parseSource, type SourceFile } from '../../src/lib/yaml-source.ts'

const TEXT = `# a comment
id: repo.view
shared: &page { first: 30 }
input:
  "quoted: key": 1
  list:
    - one
    - name: two
      deep: [a, b]
merged:
  <<: *page
  after: null
alias: *page
text: |
  not: a key
`

function parse(text: string): SourceFile {
  const source = parseSource('card.yaml', text)
  if (!('value' in source)) throw new Error(source.message)
  return source
}

test('the value is that of YAML 1.2, with anchors and merges', () => {
  expect(parse(TEXT).value).toEqual({
    id: 'repo.view',
    shared: { first: 30 },
    input: { 'quoted: key': 1, list: ['one', { name: 'two', deep: ['a', 'b'] }] },
    merged: { first: 30, after: null },
    alias: { first: 30 },
    text: 'not: a key\n',
  })
  expect(parse('yes: no').value).toEqual({ yes: 'no' })
})

test.each<[(string | number)[], number | null]>([
  [['id'], 2],
  [['shared', 'first'], 3],
  [['input'], 4],
  [['input', 'quoted: key'], 5],
  [['input', 'list', 0], 7],
  [['input', 'list', 1, 'name'], 8],
  [['input', 'list', 1, 'deep', 1], 9],
  [['input', 'list', 5], 6],
  [['input', 'no', 'such', 'member'], 4],
  [['merged', 'first'], 10],
  [['alias', 'first'], 13],
  [['text', 'not'], 14],
  [['nothing'], 2],
])('%j stands on line %j', (path, line) => {
  expect(parse(TEXT).lineOf(path)).toBe(line)
})

test('an empty file has no value and no lines', () => {
  for (const text of ['', '# nothing\n']) {
    const source = parse(text)
    expect([source.value, source.lineOf(['id'])]).toEqual([null, null])
  }
})

describe('a problem with line and fix:', () => {
  test.each([
    ['a key that comes twice', 'id: a\nkind: b\nid: c\n', 3],
    ['a bracket that is not closed', 'id: a\nlist: [1, 2\n', 3],
    ['a tab that indents', 'input:\n\tname: 1\n', 2],
    ['an anchor that does not exist', 'id: a\nother: *nowhere\n', 2],
    ['a colon in plain text', 'id: a\ntext: one: two\n', 2],
  ])('%s', (_what, text, line) => {
    expect(parseSource('card.yaml', text)).toEqual({
      file: 'card.yaml',
      line,
      message: expect.stringMatching(/^not valid YAML: \S/),
      fix: expect.stringContaining('Correct the syntax on this line'),
    })
  })

  test('two documents', () => {
    expect(parseSource('card.yaml', 'id: a\n---\nid: b\n')).toMatchObject({
      message: 'holds more than one YAML document',
    })
  })

  test('a great many aliases', () => {
    const text = `a: &a [1]\nb: [${'*a, '.repeat(200)}]\n`
    const problem = { message: expect.stringMatching(/^not valid YAML: .*alias/i) }
    expect(parseSource('card.yaml', text)).toMatchObject(problem)
  })
})
