import { expect, test } from 'vitest'
import { parseSelection } from '../../src/cards/fields.ts'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import type { Card } from '../../src/model/card.ts'
import { loadPacks } from '../support/packs.ts'

const { cards } = await loadPacks(packDirectories(PACKS))

function faultOf(id: string, fields: string): string {
  try {
    parseSelection(fields, cards.get(id) as Card)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  ['a slip', 'repo.view', 'nmae', 'Did you mean name? Members: id, name, '],
  ['a slip in items', 'issue.list', 'items.titel', 'Did you mean items.title? Members of items: '],
  [
    'another name in items',
    'issue.list',
    'items.id,items.no',
    'Did you mean items.id or items.number? Members of items: ',
  ],
  [
    'a member without its list',
    'issue.list',
    'title',
    'Did you mean items.title? Members: items, ',
  ],
  ['a slip without its list', 'issue.list', 'titel', 'Did you mean items.title? Members: items, '],
  ['a slip in an object', 'issue.list', 'pageInfo.cursor', 'Did you mean pageInfo.endCursor? '],
  ['a name like no other', 'repo.view', 'zzzzzz', 'of repo.view. Members: id, name, '],
  ['an empty name', 'issue.list', 'items.', 'Members of items: '],
])(
  'a field that does not exist is refused with what would be right: %s',
  (_what, id, fields, says) => {
    expect(faultOf(id, fields)).toContain(says)
  },
)

test('a known field is taken', () => {
  expect(faultOf('issue.list', 'items.title,pageInfo')).toBe('')
})

test('a path of two thousand parts is refused at once, in a short message', () => {
  const began = performance.now()
  expect(faultOf('issue.list', 'a.'.repeat(1000)).length).toBeLessThan(600)
  expect(performance.now() - began).toBeLessThan(200)
})
