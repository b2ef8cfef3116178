import type { Deployment, DeploymentStatus } from '../store/deployment-entities.ts'
import { newestFirst } from '../store/order.ts'
import { pageUrl, paths } from '../urls.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { accountJson } from './json/account.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged } from './paging.ts'

const deployments = '/repos/:owner/:repo/deployments'

export const deploymentRoutes: RouteTable = {
  [`GET ${deployments}`]: listDeployments,
  [`GET ${deployments}/:deployment`]: call => ok(deploymentJson(deploymentOf(call), call.origin)),
  [`GET ${deployments}/:deployment/statuses`]: listStatuses,
}

/** `environment` may be an empty text, which means any. */
function listDeployments(call: RestCall): Answer {
  const { sha, ref, task, environment } = call.query
  const found = call.store.deployments
    .of(repositoryOf(call))
    .filter(
      it =>
        it.sha === (sha ?? it.sha) &&
        it.ref === (ref ?? it.ref) &&
        it.task === (task ?? it.task) &&
        it.environment === (environment || it.environment),
    )
  return paged(call, found, it => deploymentJson(it, call.origin))
}

function deploymentOf(call: RestCall): Deployment {
  const wanted = numberIn(call.params.deployment)
  const found = call.store.deployments
    .of(repositoryOf(call))
    .find(({ databaseId }) => databaseId === wanted)
  if (!found) throw notFound()
  return found
}

function listStatuses(call: RestCall): Answer {
  const deployment = deploymentOf(call)
  return paged(call, newestFirst(deployment.statuses), it =>
    statusJson(it, deployment, call.origin),
  )
}

export function deploymentJson(it: Deployment, origin: string) {
  const url = urlOf(it, origin)
  return {
    url,
    id: it.databaseId,
    node_id: it.nodeId,
    sha: it.sha,
    ref: it.ref,
    task: it.task,
    payload: {},
    original_environment: it.environment,
    environment: it.environment,
    description: it.description,
    creator: accountJson(it.creator, origin),
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl(it.repository, origin),
    transient_environment: false,
    production_environment: it.isProduction,
    performed_via_github_app: null,
  }
}

function statusJson(it: DeploymentStatus, deployment: Deployment, origin: string) {
  const url = urlOf(deployment, origin)
  return {
    url: `${url}/statuses/${it.databaseId}`,
    id: it.databaseId,
    node_id: it.nodeId,
    state: it.state,
    creator: accountJson(it.creator, origin),
    description: it.description,
    environment: deployment.environment,
    target_url: it.logUrl || pageUrl(`${paths.repository(deployment.repository)}/deployments`),
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    deployment_url: url,
    repository_url: repositoryUrl(deployment.repository, origin),
    ...(it.environmentUrl && { environment_url: it.environmentUrl }),
    ...(it.logUrl && { log_url: it.logUrl }),
    performed_via_github_app: null,
  }
}

function urlOf({ repository, databaseId }: Deployment, origin: string): string {
  return `${repositoryUrl(repository, origin)}/deployments/${databaseId}`
}
