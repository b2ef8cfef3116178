import { expect, test } from 'vitest'
import { parseExact } from '../../inspector/web/lib/exact-json.js'
import { differencesOf, findLeaves, leavesOf } from '../../inspector/web/model/tree.js'

const value = { items: [{ title: 'Red', tags: [] }, { title: 'blue' }], total: 2, more: null }

test('lists the members without members, in order', () => {
  expect(leavesOf(value).map(({ path, text }) => `${path} ${text}`)).toEqual([
    'items[0].title "Red"',
    'items[0].tags []',
    'items[1].title "blue"',
    'total 2',
    'more null',
  ])
  expect(leavesOf('all')).toEqual([{ path: '', text: '"all"' }])
})

test('finds words in names and texts, in any case', () => {
  const find = (words: string) => findLeaves(leavesOf(value), words).map(({ path }) => path)
  expect(find('RED')).toEqual(['items[0].title'])
  expect(find('items[1]')).toEqual(['items[1].title'])
  expect(find('absent')).toEqual([])
})

test('a value with very many members has a bounded list', () => {
  expect(leavesOf({ wide: Array.from({ length: 20_000 }, (_, at) => at) })).toHaveLength(5000)
})

test('names the places at which two values differ', () => {
  const other = { items: [{ title: 'Red', tags: [] }], total: 3, more: null, last: true }
  expect(differencesOf(value, other)).toEqual([
    { path: 'items[1].title', a: '"blue"', b: null },
    { path: 'total', a: '2', b: '3' },
    { path: 'last', a: null, b: 'true' },
  ])
  expect(differencesOf(value, value)).toEqual([])
})

test('a number keeps its digits, and one digit is a difference', () => {
  const one = parseExact('{"n": 12345678901234567890, "m": 1.0}')
  const other = parseExact('{"n": 12345678901234567891, "m": 1.0}')
  expect(differencesOf(one, other)).toEqual([
    { path: 'n', a: '12345678901234567890', b: '12345678901234567891' },
  ])
  expect(leavesOf(one)).toContainEqual({ path: 'm', text: '1.0' })
})
