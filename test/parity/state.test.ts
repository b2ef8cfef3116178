import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seedDefault } from '../../sandbox/seed.ts'
import { Store } from '../../sandbox/store/store.ts'
import { differences } from './differences.ts'
import { describeState } from './state.ts'
import { issueIn, repositoryIn, userIn } from './worlds.ts'

function seeded(): Store {
  const store = new Store(() => Date.UTC(2026, 2, 1))
  seedDefault(store)
  return store
}

test('two fresh worlds are equal', () => {
  expect(differences(describeState(seeded()), describeState(seeded()))).toEqual([])
})

test.each<[string, (store: Store) => void]>([
  ['a text', store => store.issues.update(issueIn(store, 1), { title: 'Other' })],
  ['an order', store => repositoryIn(store).topics.reverse()],
  ['a reference', store => issueIn(store, 1).assignees.pop()],
  ['a member of a map', store => repositoryIn(store).collaborators.delete(userIn(store, 'hubot'))],
  ['a new thing', store => store.accounts.addUser({ login: 'somebody' })],
])('%s that differs is found', (_what, change) => {
  const store = seeded()
  change(store)
  expect(differences(describeState(seeded()), describeState(store))).not.toEqual([])
})

test('every table that keeps a collection of its own lists it', () => {
  const folder = new URL('../../sandbox/store/', import.meta.url)
  const silent = readdirSync(folder)
    .filter(name => !['registry.ts', 'tokens.ts'].includes(name))
    .filter(name => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return /readonly #\w+ = new (Map|Set)\b/.test(text) && !/^ {2}all\(\)/m.test(text)
    })
  expect(silent).toEqual([])
})
