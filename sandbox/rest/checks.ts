import type { CheckRun, CheckSuite } from '../store/actions/entities.ts'
import { latestRuns } from '../store/actions/progress.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, RestError } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { checkRunJson, checkSuiteJson, simpleStatusJson, statusJson } from './json/check.ts'
import { repositoryJson } from './json/repository.ts'
import { linkHeader, paged, pagedIn, pageOf, sliceOf } from './paging.ts'

export const checkRoutes: RouteTable = {
  'GET /repos/:owner/:repo/commits/:ref/check-runs': call =>
    listRuns(call, call.store.checks.suites(repositoryOf(call), shaOf(call))),
  'GET /repos/:owner/:repo/commits/:ref/check-suites': listSuites,
  'GET /repos/:owner/:repo/commits/:ref/status': combinedStatus,
  'GET /repos/:owner/:repo/commits/:ref/statuses': call => {
    const statuses = call.store.checks.statuses(repositoryOf(call), shaOf(call))
    return paged(call, statuses.toReversed(), it => statusJson(it, call.origin))
  },
  'GET /repos/:owner/:repo/check-suites/:id': call => ok(checkSuiteJson(suiteOf(call), call)),
  'GET /repos/:owner/:repo/check-suites/:id/check-runs': call => listRuns(call, [suiteOf(call)]),
  'GET /repos/:owner/:repo/check-runs/:id': call => ok(checkRunJson(runOf(call), call.origin)),
  // The sandbox has no annotations.
  'GET /repos/:owner/:repo/check-runs/:id/annotations': call => {
    runOf(call)
    return ok([])
  },
}

/** The latest check run of each name, or all runs if the caller asks for them. Newest suite first. */
function listRuns(call: RestCall, suites: readonly CheckSuite[]): Answer {
  const { check_name: name, status, filter, app_id: app } = call.query
  const runs = suites
    .toReversed()
    .filter(suite => app === undefined || String(suite.app.databaseId) === app)
    .flatMap(suite => (filter === 'all' ? suite.checkRuns : latestRuns(suite)).toReversed())
    .filter(run => name === undefined || run.name === name)
    .filter(run => status === undefined || run.status === status)
  return pagedIn(call, 'check_runs', runs, run => checkRunJson(run, call.origin))
}

function listSuites(call: RestCall): Answer {
  const suites = call.store.checks.suites(repositoryOf(call), shaOf(call))
  return pagedIn(call, 'check_suites', suites, suite => checkSuiteJson(suite, call))
}

function combinedStatus(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const sha = shaOf(call)
  const statuses = call.store.checks.latestStatuses(repository, sha)
  const states = new Set(statuses.map(({ state }) => state))
  const failed = states.has('error') || states.has('failure')
  const commit = `${repositoryUrl(repository, call.origin)}/commits/${sha}`
  const body = {
    state: failed ? 'failure' : states.has('pending') || states.size === 0 ? 'pending' : 'success',
    statuses: sliceOf(statuses, pageOf(call)).map(status => simpleStatusJson(status, call.origin)),
    sha,
    total_count: statuses.length,
    repository: repositoryJson(repository, call.origin, call.principal),
    commit_url: commit,
    url: `${commit}/status`,
  }
  return { status: 200, body, headers: linkHeader(call, statuses.length) }
}

/** The commit in the path, named by a sha, branch or tag. */
function shaOf(call: RestCall): string {
  const { ref = '' } = call.params
  const commit = call.store.git.commitOf(repositoryOf(call), ref)
  if (!commit) throw new RestError(422, `No commit found for SHA: ${ref}`)
  return commit.oid
}

function suiteOf(call: RestCall): CheckSuite {
  const id = numberIn(call.params.id)
  const suite = call.store.checks.suites(repositoryOf(call)).find(it => it.databaseId === id)
  if (!suite) throw notFound()
  return suite
}

function runOf(call: RestCall): CheckRun {
  const run = call.store.checks.findRun(repositoryOf(call), numberIn(call.params.id))
  if (!run) throw notFound()
  return run
}
