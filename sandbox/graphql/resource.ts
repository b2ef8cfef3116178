import type * as G from '@octokit/graphql-schema'
import { canSee } from '../store/access.ts'
import type { IssueOrPull, Repository } from '../store/entities.ts'
import type { Context } from './fields.ts'

const PAGE = /^https:\/\/github\.com\/([^/]+)(?:\/([^/]+)(?:\/(issues|pull)\/(\d+))?)?\/?$/

/** `Query.resource`: the object behind the URL of an account, repository, issue or pull request. */
export function findResource(
  _root: unknown,
  { url }: G.QueryResourceArgs,
  { store, principal }: Context,
) {
  const [, owner = '', name, page, number] = PAGE.exec(String(url)) ?? []
  if (name === undefined) return store.accounts.find(owner) ?? null
  const repository = store.repositories.find(owner, name)
  if (!repository || !canSee(principal, repository)) return null
  return page === undefined ? repository : itemAt(repository, page, Number(number))
}

function itemAt(repository: Repository, page: string, number: number): IssueOrPull | null {
  const kind = page === 'pull' ? 'PullRequest' : 'Issue'
  const item = repository.items.get(number)
  return item?.kind === kind ? item : null
}
