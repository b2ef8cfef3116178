import { isGiven } from '../given.ts'
import type { JsonObject } from '../json.ts'
import { may, requirePermission, requireUnarchived } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { MergeMethod } from '../store/git/merge-commits.ts'
import type { RepositoryChanges } from '../store/repositories.ts'
import { optionalFlag, optionalText, requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { RestError, validationFailed } from './errors.ts'
import { fullRepositoryJson } from './json/repository.ts'

export const repositoryChangeRoutes: RouteTable = {
  'PATCH /repos/:owner/:repo': updateRepository,
  'DELETE /repos/:owner/:repo': deleteRepository,
  'POST /repos/:owner/:repo/merge-upstream': mergeUpstream,
}

function administered(call: RestCall): Repository {
  const repository = repositoryOf(call)
  requirePermission(call.principal, 'admin', repository)
  return repository
}

function updateRepository(call: RestCall): Answer {
  const repository = administered(call)
  const { body, store } = call
  // An archived repository accepts no change except unarchiving.
  if (optionalFlag(body, 'archived') !== false) requireUnarchived(repository)
  store.repositories.update(repository, changesIn(body, store.git, repository))
  return ok(fullRepositoryJson(repository, call.origin, call.principal))
}

const flags = {
  archived: 'isArchived',
  has_issues: 'hasIssues',
  has_wiki: 'hasWiki',
} as const satisfies Record<string, keyof RepositoryChanges>

const METHODS: Readonly<Record<string, MergeMethod>> = {
  allow_merge_commit: 'merge',
  allow_squash_merge: 'squash',
  allow_rebase_merge: 'rebase',
}

const notModelled = [
  'allow_forking',
  'allow_update_branch',
  'delete_branch_on_merge',
  'has_projects',
  'is_template',
  'security_and_analysis',
  'web_commit_signoff_required',
]

function changesIn(
  body: JsonObject,
  git: RestCall['store']['git'],
  repository: Repository,
): RepositoryChanges {
  const other = notModelled.find(name => isGiven(body[name]))
  if (other) throw new Error(`sandbox: ${other} of a repository is not modelled`)
  const defaultBranch = optionalText(body, 'default_branch')
  if (isGiven(defaultBranch) && !git.branch(repository, defaultBranch)) {
    const message = `The branch ${defaultBranch} was not found. Please push that ref first or create it via the Git Data API.`
    const problem = { resource: 'Repository', field: 'default_branch', code: 'invalid' } as const
    throw validationFailed({ ...problem, message })
  }
  const isPrivate = optionalFlag(body, 'private')
  const given = {
    name: optionalText(body, 'name'),
    defaultBranch,
    visibility:
      optionalText(body, 'visibility') ??
      (isPrivate && 'private') ??
      (isPrivate === false && 'public'),
  }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    ...clearable(body, 'description', 'description'),
    ...clearable(body, 'homepage', 'homepageUrl'),
    ...Object.fromEntries(
      Object.entries(flags)
        .map(([field, name]) => [name, optionalFlag(body, field)] as const)
        .filter(([, value]) => value !== undefined),
    ),
    ...mergingIn(body, repository),
  }
}

function clearable(body: JsonObject, field: string, name: keyof RepositoryChanges) {
  const value = optionalText(body, field)
  return value === undefined ? {} : { [name]: value || null }
}

function mergingIn(body: JsonObject, { merging }: Repository): Pick<RepositoryChanges, 'merging'> {
  const methods = new Set(merging.methods)
  for (const [field, method] of Object.entries(METHODS)) {
    const isAllowed = optionalFlag(body, field)
    if (isAllowed === true) methods.add(method)
    if (isAllowed === false) methods.delete(method)
  }
  if (methods.size === 0)
    throw new RestError(422, 'Sorry, you need to allow at least one merge strategy')
  const allowsAutoMerge = optionalFlag(body, 'allow_auto_merge') ?? merging.allowsAutoMerge
  return { merging: { ...merging, methods, allowsAutoMerge } }
}

/** Needs the scope `delete_repo`, which the seed's token lacks. */
function deleteRepository(call: RestCall): Answer {
  const repository = administered(call)
  if (!call.principal.scopes.includes('delete_repo')) {
    throw new RestError(403, 'Must have admin rights to Repository.')
  }
  call.store.repositories.delete(repository)
  return noContent()
}

/** Moves a branch of a fork to the tip of the same branch in its parent. */
function mergeUpstream(call: RestCall): Answer {
  const fork = repositoryOf(call)
  requireUnarchived(fork)
  const branch = requiredText(call.body, 'branch')
  if (!may(call.principal, 'write', fork)) throw new RestError(403, 'Must have push access.')
  const tip = fork.parent && call.store.git.branch(fork.parent, branch)
  const own = call.store.git.branch(fork, branch)
  if (!fork.parent || !tip || !own) {
    throw new RestError(422, 'Merge upstream is only possible for forked repositories')
  }
  const source = `${fork.parent.owner.login}:${branch}`
  if (tip.oid === own.oid) {
    const message = `This branch is not behind the upstream ${source}.`
    return ok({ message, merge_type: 'none', base_branch: source })
  }
  if (call.store.git.compare(fork, own.oid, tip.oid)?.status !== 'ahead') {
    throw new Error('sandbox: a fork with commits of its own cannot be synchronized')
  }
  call.store.git.updateRef(fork, own.name, tip.oid)
  const message = `Successfully fetched and fast-forwarded from upstream ${source}.`
  return ok({ message, merge_type: 'fast-forward', base_branch: source })
}
