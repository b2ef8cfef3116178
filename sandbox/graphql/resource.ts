import type * as G from '@octokit/graphql-schema'
import { canSee } from '../store/access.ts'
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
  if (page === undefined) return repository
  const item = repository.items.get(Number(number))
  return item?.kind === (page === 'pull' ? 'PullRequest' : 'Issue') ? item : null
}
