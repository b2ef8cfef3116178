import { requireWrite } from '../store/access.ts'
import type { CheckRun, WorkflowRun } from '../store/actions/entities.ts'
import { logFilesOf } from '../store/actions/logs.ts'
import { latestRuns, progressOf } from '../store/actions/progress.ts'
import { hasLogin } from '../store/item-filters.ts'
import { newestFirst } from '../store/order.ts'
import {
  type Answer,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound, RestError } from './errors.ts'
import { artifactJson, jobJson, runJson } from './json/workflow.ts'
import { pagedIn } from './paging.ts'
import { redirectToStorage } from './storage-redirect.ts'
import { workflowOf } from './workflows.ts'

export const workflowRunRoutes: RouteTable = {
  'GET /repos/:owner/:repo/actions/runs': call =>
    listRuns(call, call.store.workflowRuns.of(repositoryOf(call))),
  'GET /repos/:owner/:repo/actions/workflows/:workflow/runs': call => {
    const workflow = workflowOf(call)
    const runs = call.store.workflowRuns.of(workflow.repository)
    return listRuns(
      call,
      runs.filter(run => run.workflow === workflow),
    )
  },
  'GET /repos/:owner/:repo/actions/runs/:run': call => ok(runJson(runOf(call), call)),
  'GET /repos/:owner/:repo/actions/runs/:run/jobs': listJobs,
  'GET /repos/:owner/:repo/actions/runs/:run/artifacts': call => {
    const named = runOf(call).artifacts.filter(({ name }) => name === (call.query.name ?? name))
    return pagedIn(call, 'artifacts', named.toReversed(), it => artifactJson(it, call.origin))
  },
  'GET /repos/:owner/:repo/actions/runs/:run/logs': redirectToLogs,
  'GET /repos/:owner/:repo/actions/artifacts/:artifact/zip': redirectToArtifact,
  'DELETE /repos/:owner/:repo/actions/runs/:run': deleteRun,
  'POST /repos/:owner/:repo/actions/runs/:run/rerun': call =>
    rerun(call, run => latestRuns(run.suite)),
  'POST /repos/:owner/:repo/actions/runs/:run/rerun-failed-jobs': call => rerun(call, failedJobs),
  'POST /repos/:owner/:repo/actions/runs/:run/cancel': cancel,
  'GET /repos/:owner/:repo/actions/jobs/:job': call => {
    const { job, run } = jobOf(call)
    return ok(jobJson(job, run, call.origin))
  },
  'POST /repos/:owner/:repo/actions/jobs/:job/rerun': call => {
    const { job, run } = jobOf(call)
    return rerunOf(call, run, [job])
  },
  'GET /repos/:owner/:repo/actions/jobs/:job/logs': redirectToLog,
}

function listRuns(call: RestCall, runs: readonly WorkflowRun[]): Answer {
  const { actor, branch, event, status, head_sha, check_suite_id } = call.query
  const isWanted = (wanted: string | undefined, value: string | number | null) =>
    wanted === undefined || wanted === String(value)
  const found = newestFirst(runs).filter(run => {
    const progress = progressOf(run.suite)
    return (
      (actor === undefined || hasLogin(run.actor, actor)) &&
      isWanted(branch, run.suite.headBranch) &&
      isWanted(event, run.event) &&
      isWanted(head_sha, run.suite.headSha) &&
      isWanted(check_suite_id, run.suite.databaseId) &&
      (isWanted(status, progress.status) || isWanted(status, progress.conclusion))
    )
  })
  return pagedIn(call, 'workflow_runs', found, run => runJson(run, call))
}

function listJobs(call: RestCall): Answer {
  const run = runOf(call)
  const jobs = call.query.filter === 'all' ? run.suite.checkRuns : latestRuns(run.suite)
  return pagedIn(call, 'jobs', jobs, job => jobJson(job, run, call.origin))
}

function rerun(call: RestCall, choose: (run: WorkflowRun) => readonly CheckRun[]): Answer {
  const run = runOf(call)
  const jobs = choose(run)
  if (jobs.length === 0 && choose === failedJobs) {
    requireRerunnable(call, run)
    throw new RestError(403, 'This workflow run has no failed jobs to rerun')
  }
  return rerunOf(call, run, jobs)
}

function requireRerunnable(call: RestCall, run: WorkflowRun): void {
  requireWrite(call.principal, run.repository)
  if (progressOf(run.suite).status !== 'completed') {
    throw new RestError(403, 'This workflow run is already running')
  }
}

function rerunOf(call: RestCall, run: WorkflowRun, jobs: readonly CheckRun[]): Answer {
  requireRerunnable(call, run)
  call.store.workflowRuns.rerun(run, call.viewer, jobs)
  return { status: 201, body: {} }
}

/** The failed jobs, and the jobs that were skipped. Empty if no job failed. */
function failedJobs(run: WorkflowRun): readonly CheckRun[] {
  const jobs = latestRuns(run.suite)
  const isBad = ({ conclusion }: CheckRun) =>
    !['success', 'neutral', 'skipped'].includes(`${conclusion}`)
  return jobs.some(isBad) ? jobs.filter(job => isBad(job) || job.conclusion === 'skipped') : []
}

function cancel(call: RestCall): Answer {
  const run = runOf(call)
  requireWrite(call.principal, run.repository)
  if (progressOf(run.suite).status === 'completed') {
    throw new RestError(409, 'Cannot cancel a workflow run that is completed.')
  }
  call.store.workflowRuns.cancel(run)
  return { status: 202, body: {} }
}

function redirectToLog(call: RestCall): Answer {
  const { job } = jobOf(call)
  if (job.log === null) throw notFound()
  if (job.isLogExpired) throw new RestError(410, 'The logs for this job have expired.')
  return redirectToStorage(call, 'logs', job.nodeId)
}

function redirectToLogs(call: RestCall): Answer {
  const run = runOf(call)
  if (logFilesOf(run).size === 0) throw notFound()
  return redirectToStorage(call, 'runs', run.nodeId)
}

function redirectToArtifact(call: RestCall): Answer {
  const id = numberIn(call.params.artifact)
  const artifact = call.store.workflowRuns
    .of(repositoryOf(call))
    .flatMap(({ artifacts }) => artifacts)
    .find(({ databaseId }) => databaseId === id)
  if (!artifact) throw notFound()
  if (artifact.isExpired) throw new RestError(410, 'Artifact has expired')
  return redirectToStorage(call, 'artifacts', artifact.nodeId)
}

function deleteRun(call: RestCall): Answer {
  const run = runOf(call)
  requireWrite(call.principal, run.repository)
  if (progressOf(run.suite).status !== 'completed') {
    throw new RestError(403, 'Cannot delete a workflow run that is not completed.')
  }
  call.store.workflowRuns.delete(run)
  return noContent()
}

function runOf(call: RestCall): WorkflowRun {
  const run = call.store.workflowRuns.find(repositoryOf(call), numberIn(call.params.run))
  if (!run) throw notFound()
  return run
}

/** The job in the path. Only check runs of GitHub Actions are jobs. */
function jobOf(call: RestCall): { job: CheckRun; run: WorkflowRun } {
  const job = call.store.checks.findRun(repositoryOf(call), numberIn(call.params.job))
  const run = job?.suite.run
  if (!job || !run) throw notFound()
  return { job, run }
}
