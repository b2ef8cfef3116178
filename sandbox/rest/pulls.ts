import type { PullRequest } from '../store/entities.ts'
import { type Answer, itemOf, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { matchesQuery, sortedBy } from './issue-query.ts'
import { fullPullRequestJson, pullRequestJson } from './json/pull-request.ts'
import { paged } from './paging.ts'

export const pullRoutes: RouteTable = {
  'GET /repos/:owner/:repo/pulls': listPulls,
  'GET /repos/:owner/:repo/pulls/:number': getPull,
}

function listPulls(call: RestCall): Answer {
  const { state, sort, direction, head, base } = call.query
  const pulls = [...repositoryOf(call).items.values()]
    .filter(item => item.kind === 'PullRequest')
    .filter(pull => matchesQuery(pull, { state }))
    .filter(pull => base === undefined || pull.base.name === base)
    .filter(pull => head === undefined || labelOfHead(pull) === head)
  return paged(call, sortedBy(pulls, { sort, direction }), pull =>
    pullRequestJson(pull, call.origin, call.principal),
  )
}

function getPull(call: RestCall): Answer {
  const item = itemOf(call)
  if (item.kind !== 'PullRequest') throw notFound()
  return ok(fullPullRequestJson(item, call.origin, call.principal))
}

function labelOfHead({ head }: PullRequest): string {
  return `${head.repository.owner.login}:${head.name}`
}
