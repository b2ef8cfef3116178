import type { Issue, PullRequest, Repository, Store, User } from '../../sandbox/index.ts'

/** Inputs and helpers that many cases share. */
export const hello = { owner: 'octo-org', name: 'hello-world' }
export const spoon = { owner: 'octocat', name: 'spoon-knife' }

export function repositoryIn(store: Store, { owner, name } = hello): Repository {
  const repository = store.repositories.find(owner, name)
  if (!repository) throw new Error(`the seed has no ${owner}/${name}`)
  return repository
}

export function userIn(store: Store, login = 'octocat'): User {
  const user = store.accounts.findUser(login)
  if (!user) throw new Error(`the seed has no user ${login}`)
  return user
}

export function issueIn(store: Store, number: number, repository = repositoryIn(store)): Issue {
  const item = repository.items.get(number)
  if (item?.kind !== 'Issue') throw new Error(`item ${number} is not an issue`)
  return item
}

export function pullIn(
  store: Store,
  number: number,
  repository = repositoryIn(store),
): PullRequest {
  const item = repository.items.get(number)
  if (item?.kind !== 'PullRequest') throw new Error(`item ${number} is not a pull request`)
  return item
}

/** Calls `make` with 1, 2, … count. */
export function times(count: number, make: (number: number) => void): void {
  for (let number = 1; number <= count; number += 1) make(number)
}

export const attic = { owner: 'octo-org', name: 'attic' }
export const foreign = { owner: 'mallory', name: 'open' }

/** Adds another user's public repository, which the caller may only read, with an issue and a label. */
export function addForeign(store: Store): void {
  const owner = userIn(store, 'mallory')
  const repository = store.repositories.add({ owner, name: foreign.name })
  store.labels.add(repository, { name: 'bug' })
  store.milestones.add(repository, { title: 'Some day', creator: owner })
  store.issues.add(repository, { title: 'Look, but do not touch', author: owner })
}

/** Adds the team `core-team` to the organization. */
export function addTeam(store: Store): void {
  const { owner } = repositoryIn(store)
  if (owner.kind === 'Organization') store.accounts.addTeam(owner, 'Core 🚂 Team')
}
