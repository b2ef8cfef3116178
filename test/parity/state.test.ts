import { expect, test } from 'vitest'
import { Store, seedDefault } from '../../sandbox/index.ts'
import { differences } from './differences.ts'
import { describeState } from './state.ts'
import { issueIn, repositoryIn, userIn } from './worlds.ts'

function seeded(): Store {
  const store = new Store(() => Date.UTC(2026, 2, 1))
  seedDefault(store)
  return store
}

test('two seeded stores are equal', () => {
  expect(differences(describeState(seeded()), describeState(seeded()))).toEqual([])
})

test.each<[string, (store: Store) => void]>([
  ['a text', store => store.issues.update(issueIn(store, 1), { title: 'Other' })],
  ['an order', store => repositoryIn(store).topics.reverse()],
  ['a reference', store => issueIn(store, 1).assignees.pop()],
  ['a member of a map', store => repositoryIn(store).collaborators.delete(userIn(store, 'hubot'))],
  ['a branch', store => store.git.of(repositoryIn(store)).refs.delete('refs/heads/main')],
  ['a new object', store => store.accounts.addUser({ login: 'somebody' })],
])('a difference in %s is found', (_what, change) => {
  const store = seeded()
  change(store)
  expect(differences(describeState(seeded()), describeState(store))).not.toEqual([])
})

test('every table with its own collection has an all() method', () => {
  const silent = Object.entries(seeded())
    .filter(([name, table]) => name !== 'tokens' && !('all' in (table as object)))
    .filter(([, table]) => /#\w+ = new (Map|Set)\b/.test(String((table as object).constructor)))
    .map(([name]) => name)
  expect(silent).toEqual([])
})
