import { expect, test } from 'vitest'
import { linkTarget } from '../../src/lib/link-header.ts'

const HEADER =
  '<https://api.example.test/x?page=2,3>; rel="next", <https://api.example.test/x?page=9>; title="a; b"; rel=last'

test.each([
  ['a quoted relation', HEADER, 'next', 'https://api.example.test/x?page=2,3'],
  ['a bare relation', HEADER, 'last', 'https://api.example.test/x?page=9'],
  ['one of several relations', '</x>; rel="start next"', 'next', '/x'],
  ['a relation in capitals', '</x>; REL=Next', 'next', '/x'],
  ['no such relation', HEADER, 'prev', null],
  ['a relation whose name only begins so', '</x>; rel="next-archive"', 'next', null],
  ['an empty header', '', 'next', null],
])('%s', (_title, header, relation, target) => {
  expect(linkTarget(header, relation)).toBe(target)
})
