import { canSee, requireUnarchived } from './access.ts'
import type { PullRequest, Repository } from './entities.ts'
import { missingFrom } from './git/history.ts'
import { checkTexts } from './issues.ts'
import { pullRequestsIn } from './items.ts'
import { invalid } from './refusal.ts'
import type { Store } from './store.ts'
import type { Principal } from './tokens.ts'

export interface OpenPullRequest {
  title: string
  body: string | null
  /** `branch` or `owner:branch`. */
  head: string
  /** The repository of the branch, if the owner in `head` does not tell. */
  headRepository?: Repository | undefined
  base: string
  isDraft: boolean
}

/** Opens a pull request if both branches exist and differ, and no open one has the same branches. */
export function openPullRequest(
  store: Store,
  by: Principal,
  repository: Repository,
  fields: OpenPullRequest,
): PullRequest {
  requireUnarchived(repository)
  checkTexts(fields)
  const { repository: headRepository, name } = headOf(store, by, repository, fields)
  const head = store.git.branch(headRepository, name)
  const base = store.git.branch(repository, fields.base)
  if (!base) throw invalidField('base')
  if (!head) throw invalidField('head')
  const label = `${headRepository.owner.login}:${name}`
  if (isOpen(repository, headRepository, name, fields.base)) {
    throw custom(`A pull request already exists for ${label}.`)
  }
  if (missingFrom(store.git.of(repository).objects, base.oid, head.oid).length === 0) {
    throw custom(`No commits between ${fields.base} and ${fields.head}`)
  }
  return store.pullRequests.add(repository, {
    ...fields,
    head: name,
    headRepository,
    author: by.user,
  })
}

function headOf(
  store: Store,
  by: Principal,
  repository: Repository,
  { head, headRepository }: OpenPullRequest,
) {
  const [, owner, name = ''] = /^(?:([^:]*):)?(.*)$/.exec(head) ?? []
  if (headRepository) return { repository: headRepository, name }
  if (owner === undefined || owner === repository.owner.login) return { repository, name }
  const other =
    store.repositories.find(owner, repository.name) ??
    store.repositories.forksOf(repository).find(fork => fork.owner.login === owner)
  if (!other || !canSee(by, other)) throw invalidField('head')
  return { repository: other, name }
}

function isOpen(repository: Repository, head: Repository, name: string, base: string): boolean {
  return pullRequestsIn(repository).some(
    pull =>
      pull.state === 'open' &&
      pull.head.repository === head &&
      pull.head.name === name &&
      pull.base.name === base,
  )
}

function invalidField(field: 'base' | 'head') {
  const name = field === 'base' ? 'Base' : 'Head'
  return invalid(`${name} ref must be a branch`, {
    resource: 'PullRequest',
    field,
    code: 'invalid',
  })
}

function custom(message: string) {
  return invalid(message, { resource: 'PullRequest', code: 'custom', message })
}
