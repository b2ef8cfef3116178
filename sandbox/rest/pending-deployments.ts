import { canSee } from '../store/access.ts'
import type { WorkflowRun } from '../store/actions/entities.ts'
import type { DeploymentReview, PendingDeployment } from '../store/deployment-entities.ts'
import { requiredText } from './body.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { deploymentJson } from './deployments.ts'
import { briefEnvironmentJson, reviewersJson } from './environments.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { accountJson } from './json/account.ts'

const pending = '/repos/:owner/:repo/actions/runs/:run/pending_deployments'

export const pendingDeploymentRoutes: RouteTable = {
  [`GET ${pending}`]: call =>
    ok(call.store.deployments.pendingOf(runOf(call)).map(it => pendingJson(it, call))),
  [`POST ${pending}`]: review,
  'GET /repos/:owner/:repo/actions/runs/:run/approvals': call =>
    ok(call.store.deployments.reviewsOf(runOf(call)).map(it => reviewJson(it, call.origin))),
}

function runOf(call: RestCall): WorkflowRun {
  const run = call.store.workflowRuns.find(repositoryOf(call), numberIn(call.params.run))
  if (!run) throw notFound()
  return run
}

/** Only the reviewers may approve, and not their own deployment if the environment prevents that. */
function mayReview({ viewer, principal }: RestCall, { run, environment }: PendingDeployment) {
  const isOwn = environment.preventsSelfReview && run.actor === viewer
  return canSee(principal, run.repository) && environment.reviewers.includes(viewer) && !isOwn
}

function pendingJson(it: PendingDeployment, call: RestCall) {
  const { environment, deployment } = it
  return {
    environment: briefEnvironmentJson(environment, call.origin),
    wait_timer: environment.waitTimer,
    wait_timer_started_at: environment.waitTimer > 0 ? deployment.createdAt : null,
    current_user_can_approve: mayReview(call, it),
    reviewers: reviewersJson(environment, call.origin),
  }
}

function reviewJson({ environments, state, user, comment }: DeploymentReview, origin: string) {
  return {
    environments: environments.map(it => briefEnvironmentJson(it, origin)),
    state,
    user: accountJson(user, origin),
    comment,
  }
}

function review(call: RestCall): Answer {
  const run = runOf(call)
  const ids = idsIn(call.body.environment_ids)
  const state = requiredText(call.body, 'state')
  if (state !== 'approved' && state !== 'rejected') {
    throw invalidRequest(`For 'properties/state', "${state}" is not a known state.`)
  }
  const comment = requiredText(call.body, 'comment')
  const { deployments } = call.store
  const waiting = deployments
    .pendingOf(run)
    .filter(({ environment }) => ids.includes(environment.databaseId))
  if (waiting.length === 0 || waiting.length < ids.length) {
    throw new RestError(422, 'No pending deployment requests to approve or reject')
  }
  if (!waiting.every(it => mayReview(call, it))) {
    throw new RestError(403, 'You are not a reviewer of this environment.')
  }
  const done = deployments.review(run, waiting, { user: call.viewer, state, comment })
  return ok(done.map(it => deploymentJson(it, call.origin)))
}

function idsIn(value: unknown): number[] {
  if (Array.isArray(value) && value.every(it => Number.isInteger(it))) return value as number[]
  throw invalidRequest(`For 'properties/environment_ids', a list of integers is needed.`)
}
