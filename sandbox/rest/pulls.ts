import type { PullRequest } from '../store/entities.ts'
import { unifiedDiff } from '../store/git/diff.ts'
import { hasLogin } from '../store/item-filters.ts'
import { pullRequestsIn } from '../store/items.ts'
import { type Answer, ok, pullOf, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { choiceIn } from './choice.ts'
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
  const { state, head, base } = call.query
  const pulls = pullRequestsIn(repositoryOf(call))
    .filter(pull => matchesQuery(pull, { state }))
    .filter(pull => base === undefined || pull.base.name === base)
    .filter(pull => head === undefined || isLabelOfHead(pull, head))
  return paged(call, sortedPulls(call, pulls), pull =>
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

const DAYS_30 = 30 * 24 * 3_600_000

/** `long-running` keeps pull requests that have been open for a month and changed in the last one. */
function sortedPulls({ query, store }: RestCall, pulls: PullRequest[]): PullRequest[] {
  const { direction } = query
  const sort = choiceIn(query, 'PullRequest', 'sort', sorts)
  if (sort === 'popularity') return sortedByQuery(pulls, { sort: 'comments', direction })
  if (sort !== 'long-running') return sortedByQuery(pulls, { sort, direction })
  const before = store.now() - DAYS_30
  const found = pulls.filter(
    ({ state, createdAt, updatedAt }) =>
      state === 'open' && Date.parse(createdAt) < before && Date.parse(updatedAt) >= before,
  )
  return sortedByQuery(found, { direction })
}

const sorts = ['created', 'updated', 'popularity', 'long-running'] as const

function isLabelOfHead({ head: { repository, name } }: PullRequest, wanted: string): boolean {
  const [owner = '', ...branch] = wanted.split(':')
  return hasLogin(repository.owner, owner) && name === branch.join(':')
}
