import { visibleTo } from '../access.ts'
import type { Repository } from '../entities.ts'
import { fullName } from '../repositories.ts'
import type { Store } from '../store.ts'
import type { Principal } from '../tokens.ts'
import { isInRange, naming, type Sort, same } from './query.ts'
import { type Found, type Searchable, search } from './search.ts'

/** Qualifiers that select repositories. */
const repositoryQualifiers: Searchable<Repository>['qualifiers'] = {
  repo: (repository, value) => same(fullName(repository), value),
  user: (repository, value) => same(repository.owner.login, value),
  org: (repository, value) => same(repository.owner.login, value),
}

/** The same qualifiers for objects that belong to a repository. */
export const ownerQualifiers: Searchable<{ repository: Repository }>['qualifiers'] =
  Object.fromEntries(
    Object.entries(repositoryQualifiers).map(([name, test]) => [
      name,
      ({ repository }: { repository: Repository }, value: string) => test(repository, value),
    ]),
  )

const repositories: Searchable<Repository> = {
  texts: {
    name: repository => repository.name,
    description: repository => repository.description ?? '',
    topics: repository => repository.topics.join(' '),
  },
  qualifiers: {
    ...repositoryQualifiers,
    fork: ({ parent }, value) => value === 'true' || (parent !== null) === (value === 'only'),
    language: (repository, value) => same(repository.language ?? '', value),
    topic: (repository, value) => repository.topics.includes(value.toLowerCase()),
    is: (repository, value) => repository.visibility === value,
    archived: (repository, value) => String(repository.isArchived) === value,
    stars: (repository, value) => isInRange(repository.stargazerCount, value),
    forks: (repository, value) => isInRange(repository.forkCount, value),
    created: (repository, value) => isInRange(repository.createdAt, value),
    pushed: (repository, value) => isInRange(repository.pushedAt, value),
  },
  notModelled: [
    'size',
    'followers',
    'license',
    'mirror',
    'template',
    'topics',
    'good-first-issues',
    'help-wanted-issues',
    'has',
    'props',
    'enterprise',
  ],
  orders: {
    stars: repository => repository.stargazerCount,
    forks: repository => repository.forkCount,
    updated: repository => repository.updatedAt,
  },
  bestMatch: (a, b) => b.stargazerCount - a.stargazerCount || b.databaseId - a.databaseId,
}

export function searchRepositories(
  store: Store,
  principal: Principal,
  query: string,
  sort?: Sort,
): Found<Repository> {
  const visible = visibleTo(principal, store.repositories.all())
  // Forks are found only if the query asks for them.
  const wanted = /(?:^|\s)fork:/.test(query) ? visible : visible.filter(({ parent }) => !parent)
  return search(wanted, naming(query, principal), repositories, sort)
}
