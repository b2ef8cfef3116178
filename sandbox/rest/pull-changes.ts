import { isGiven } from '../given.ts'
import { canSee, requireEditor, requireWrite } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { MergeMethod } from '../store/git/merge-commits.ts'
import type { MergeMessage } from '../store/merging.ts'
import { openPullRequest } from '../store/open-pull-request.ts'
import { pageUrl, paths } from '../urls.ts'
import { optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  ok,
  pullOf,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { invalidRequest, validationFailed } from './errors.ts'
import { fullPullRequestJson } from './json/pull-request.ts'

export const pullChangeRoutes: RouteTable = {
  'POST /repos/:owner/:repo/pulls': createPull,
  'PATCH /repos/:owner/:repo/pulls/:number': updatePull,
  'PUT /repos/:owner/:repo/pulls/:number/merge': mergePull,
  'PUT /repos/:owner/:repo/pulls/:number/update-branch': updateBranch,
}

function createPull(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const pull = openPullRequest(call.store, call.principal, repository, {
    title: requiredText(call.body, 'title'),
    body: optionalText(call.body, 'body') ?? null,
    head: requiredText(call.body, 'head'),
    headRepository: headRepositoryIn(call),
    base: requiredText(call.body, 'base'),
    isDraft: call.body.draft === true,
  })
  const answer = fullPullRequestJson(pull, call.origin, call.principal)
  return created(answer, answer.url)
}

/** `head_repo` is the owner and name of a fork. */
function headRepositoryIn({ store, body, principal }: RestCall): Repository | undefined {
  const name = optionalText(body, 'head_repo')
  if (!isGiven(name)) return undefined
  const [owner = '', fork = ''] = name.split('/')
  const repository = store.repositories.find(owner, fork)
  if (repository && canSee(principal, repository)) return repository
  throw validationFailed({ resource: 'PullRequest', field: 'head_repo', code: 'invalid' })
}

function updatePull(call: RestCall): Answer {
  const pull = pullOf(call)
  requireEditor(call.principal, pull)
  const [title, body, state, base] = ['title', 'body', 'state', 'base'].map(name =>
    optionalText(call.body, name),
  )
  if (isGiven(state) && state !== 'open' && state !== 'closed') {
    throw validationFailed({ resource: 'PullRequest', field: 'state', code: 'invalid' })
  }
  // It can be refused, so it comes before every change.
  if (state === 'open') call.store.issues.reopen(pull)
  call.store.issues.update(pull, {
    ...(isGiven(title) && { title }),
    ...(body !== undefined && { body }),
  })
  if (isGiven(base) && base !== pull.base.name) call.store.pullRequests.retarget(pull, base)
  if (state === 'closed') call.store.issues.close(pull, call.viewer)
  return ok(fullPullRequestJson(pull, call.origin, call.principal))
}

function mergePull(call: RestCall): Answer {
  const pull = pullOf(call)
  requireWrite(call.principal, pull.repository)
  const expected = optionalText(call.body, 'sha') ?? undefined
  const how = { method: methodIn(call), ...messageIn(call) }
  const sha = call.store.merging.merge(pull, call.principal, how, expected)
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' })
}

function messageIn({ body }: RestCall): MergeMessage {
  return {
    subject: optionalText(body, 'commit_title') ?? undefined,
    body: optionalText(body, 'commit_message') ?? undefined,
  }
}

const METHODS: readonly string[] = ['merge', 'squash', 'rebase'] satisfies MergeMethod[]

function methodIn({ body }: RestCall): MergeMethod {
  const method = optionalText(body, 'merge_method') ?? 'merge'
  if (METHODS.includes(method)) return method as MergeMethod
  throw invalidRequest(`${method} is not a member of ["merge", "squash", "rebase"].`)
}

function updateBranch(call: RestCall): Answer {
  const pull = pullOf(call)
  requireWrite(call.principal, pull.head.repository)
  const expected = optionalText(call.body, 'expected_head_sha') ?? undefined
  call.store.merging.updateBranch(pull, call.viewer, expected)
  const body = { message: 'Updating pull request branch.', url: pageUrl(paths.item(pull)) }
  return { status: 202, body }
}
