import type { PullRequest } from '../store/entities.ts'
import { unifiedDiff } from '../store/git/diff.ts'
import { pullRequestsIn } from '../store/items.ts'
import { type Answer, ok, pullOf, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { matchesQuery, sortedByQuery } from './issue-query.ts'
import { fileJson } from './json/commit.ts'
import { fullPullRequestJson, pullRequestJson } from './json/pull-request.ts'
import { paged } from './paging.ts'

export const pullRoutes: RouteTable = {
  'GET /repos/:owner/:repo/pulls': listPulls,
  'GET /repos/:owner/:repo/pulls/:number': getPull,
  'GET /repos/:owner/:repo/pulls/:number/files': listFiles,
}

export const pullMedia = { 'GET /repos/:owner/:repo/pulls/:number': ['diff'] }

function listPulls(call: RestCall): Answer {
  const { state, sort, direction, head, base } = call.query
  const pulls = pullRequestsIn(repositoryOf(call))
    .filter(pull => matchesQuery(pull, { state }))
    .filter(pull => base === undefined || pull.base.name === base)
    .filter(pull => head === undefined || labelOfHead(pull) === head)
  return paged(call, sortedByQuery(pulls, { sort, direction }), pull =>
    pullRequestJson(pull, call.origin, call.principal),
  )
}

function getPull(call: RestCall): Answer {
  const pull = pullOf(call)
  if (call.media === null) return ok(fullPullRequestJson(pull, call.origin, call.principal))
  const headers = { 'content-type': `application/vnd.github.${call.media}; charset=utf-8` }
  return { ...ok(unifiedDiff(changesOf(call, pull))), headers }
}

function listFiles(call: RestCall): Answer {
  const pull = pullOf(call)
  return paged(call, changesOf(call, pull), change =>
    fileJson(pull.head.repository, pull.head.sha, change, call.origin),
  )
}

function changesOf({ store }: RestCall, { repository, base, head }: PullRequest) {
  return store.git.of(repository).changesSinceFork(base.sha, head.sha)
}

function labelOfHead({ head }: PullRequest): string {
  return `${head.repository.owner.login}:${head.name}`
}
