import type { Environment } from '../store/deployment-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { accountJson } from './json/account.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { pagedIn } from './paging.ts'

const environments = '/repos/:owner/:repo/environments'

export const environmentRoutes: RouteTable = {
  [`GET ${environments}`]: call =>
    pagedIn(call, 'environments', call.store.deployments.environmentsOf(repositoryOf(call)), it =>
      environmentJson(it, call.origin),
    ),
  [`GET ${environments}/:environment`]: call =>
    ok(environmentJson(environmentOf(call), call.origin)),
  [`GET ${environments}/:environment/deployment-branch-policies`]: listPolicies,
}

function environmentOf(call: RestCall): Environment {
  const found = call.store.deployments
    .environmentsOf(repositoryOf(call))
    .find(({ name }) => name === call.params.environment)
  if (!found) throw notFound()
  return found
}

function listPolicies(call: RestCall): Answer {
  const { branches, databaseId } = environmentOf(call)
  const patterns = typeof branches === 'string' ? [] : branches
  return pagedIn(call, 'branch_policies', [...patterns.entries()], ([index, name]) => ({
    id: databaseId + index,
    node_id: `DBP_${databaseId}_${index}`,
    name,
    type: 'branch',
  }))
}

/** The members that also stand inside a pending deployment. */
export function briefEnvironmentJson(it: Environment, origin: string) {
  const { repository, databaseId, nodeId, name } = it
  return {
    id: databaseId,
    node_id: nodeId,
    name,
    url: `${repositoryUrl(repository, origin)}/environments/${encodeURIComponent(name)}`,
    html_url: pageUrl(
      `${paths.repository(repository)}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
    ),
  }
}

function environmentJson(it: Environment, origin: string) {
  return {
    ...briefEnvironmentJson(it, origin),
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    protection_rules: rulesOf(it, origin),
    deployment_branch_policy:
      it.branches === 'all'
        ? null
        : {
            protected_branches: it.branches === 'protected',
            custom_branch_policies: it.branches !== 'protected',
          },
  }
}

export function reviewersJson({ reviewers }: Environment, origin: string) {
  return reviewers.map(user => ({ type: 'User', reviewer: accountJson(user, origin) }))
}

function rulesOf(it: Environment, origin: string) {
  const rule = (type: string, order: number) => ({
    id: it.databaseId * 10 + order,
    node_id: `GA_${it.databaseId}_${order}`,
    type,
  })
  const reviewed = {
    ...rule('required_reviewers', 2),
    prevent_self_review: it.preventsSelfReview,
    reviewers: reviewersJson(it, origin),
  }
  return [
    ...(it.waitTimer > 0 ? [{ ...rule('wait_timer', 1), wait_timer: it.waitTimer }] : []),
    ...(it.reviewers.length > 0 ? [reviewed] : []),
    ...(it.branches === 'all' ? [] : [rule('branch_policy', 3)]),
  ]
}
