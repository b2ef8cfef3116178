import type { Artifact, CheckRun, Workflow, WorkflowRun } from '../../store/actions/entities.ts'
import { progressOf } from '../../store/actions/progress.ts'
import { pullRequestsOf } from '../../store/actions/runs.ts'
import { pageUrl, paths } from '../../urls.ts'
import type { RestCall } from '../call.ts'
import { accountJson } from './account.ts'
import { repositoryUrl, runUrl } from './api-urls.ts'
import { minimalPullRequestJson } from './check.ts'
import { encodePath } from './commit.ts'
import { headCommitJson } from './head-commit.ts'
import { repositoryJson } from './repository.ts'

export function workflowJson(workflow: Workflow, origin: string) {
  const { repository, path } = workflow
  const page = pageUrl(paths.repository(repository))
  return {
    id: workflow.databaseId,
    node_id: workflow.nodeId,
    name: workflow.name,
    path,
    state: workflow.state,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    url: `${repositoryUrl(repository, origin)}/actions/workflows/${workflow.databaseId}`,
    html_url: `${page}/blob/${repository.defaultBranch}/${encodePath(path)}`,
    badge_url: `${page}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
  }
}

export function runJson(run: WorkflowRun, call: RestCall) {
  const { origin, principal, query } = call
  const { workflow, suite, repository, headRepository } = run
  const pulls = query.exclude_pull_requests === 'true' ? [] : pullRequestsOf(run)
  return {
    id: run.databaseId,
    name: workflow.name,
    node_id: run.nodeId,
    check_suite_id: suite.databaseId,
    check_suite_node_id: suite.nodeId,
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    path: workflow.path,
    display_title: run.title,
    run_number: run.number,
    run_attempt: run.attempt,
    referenced_workflows: [],
    event: run.event,
    ...progressOf(suite),
    workflow_id: workflow.databaseId,
    pull_requests: pulls.map(pull => minimalPullRequestJson(pull, origin)),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.startedAt,
    actor: accountJson(run.actor, origin),
    triggering_actor: accountJson(run.triggeringActor, origin),
    ...runLinks(run, origin),
    head_commit: headCommitJson(call.store, headRepository, suite.headSha),
    repository: repositoryJson(repository, origin, principal),
    head_repository: repositoryJson(headRepository, origin, principal),
    head_repository_id: headRepository.databaseId,
  }
}

function runLinks(run: WorkflowRun, origin: string) {
  const { repository, workflow, suite, attempt } = run
  const base = repositoryUrl(repository, origin)
  const url = runUrl(run, origin)
  return {
    url,
    html_url: pageUrl(paths.run(run)),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${base}/check-suites/${suite.databaseId}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: attempt > 1 ? `${url}/attempts/${attempt - 1}` : null,
    workflow_url: `${base}/actions/workflows/${workflow.databaseId}`,
  }
}

export function jobJson(job: CheckRun, run: WorkflowRun, origin: string) {
  const base = repositoryUrl(run.repository, origin)
  const hasRunner = job.startedAt !== null && job.conclusion !== 'skipped'
  return {
    id: job.databaseId,
    run_id: run.databaseId,
    workflow_name: run.workflow.name,
    head_branch: run.suite.headBranch,
    run_url: runUrl(run, origin),
    run_attempt: job.attempt,
    node_id: job.nodeId,
    head_sha: run.suite.headSha,
    url: `${base}/actions/jobs/${job.databaseId}`,
    html_url: job.detailsUrl,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.createdAt,
    // GitHub reports the creation time for a job that still waits for a runner.
    started_at: job.startedAt ?? job.createdAt,
    completed_at: job.completedAt,
    name: job.name,
    steps: job.steps.map(step => ({
      name: step.name,
      status: step.status,
      conclusion: step.conclusion,
      number: step.number,
      started_at: step.startedAt,
      completed_at: step.completedAt,
    })),
    check_run_url: `${base}/check-runs/${job.databaseId}`,
    labels: ['ubuntu-latest'],
    runner_id: hasRunner ? 1 : null,
    runner_name: hasRunner ? 'GitHub Actions 1' : null,
    runner_group_id: hasRunner ? 0 : null,
    runner_group_name: hasRunner ? 'GitHub Actions' : null,
  }
}

export function artifactJson(artifact: Artifact, origin: string) {
  const { run } = artifact
  const url = `${repositoryUrl(run.repository, origin)}/actions/artifacts/${artifact.databaseId}`
  return {
    id: artifact.databaseId,
    node_id: artifact.nodeId,
    name: artifact.name,
    size_in_bytes: artifact.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.isExpired,
    digest: null,
    created_at: artifact.createdAt,
    updated_at: artifact.createdAt,
    expires_at: artifact.expiresAt,
    workflow_run: {
      id: run.databaseId,
      repository_id: run.repository.databaseId,
      head_repository_id: run.headRepository.databaseId,
      head_branch: run.suite.headBranch,
      head_sha: run.suite.headSha,
    },
  }
}
