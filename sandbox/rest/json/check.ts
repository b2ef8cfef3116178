import type { App, CheckRun, CheckSuite, StatusContext } from '../../store/actions/entities.ts'
import { latestRuns, progressOf } from '../../store/actions/progress.ts'
import { pullRequestsOf } from '../../store/actions/runs.ts'
import type { Organization, PullRequest } from '../../store/entities.ts'
import { avatarUrl, pageUrl, paths } from '../../urls.ts'
import type { RestCall } from '../call.ts'
import { accountJson } from './account.ts'
import { pullUrl, repositoryUrl } from './api-urls.ts'
import { headCommitJson } from './head-commit.ts'
import { repositoryJson } from './repository.ts'

export function checkRunJson(run: CheckRun, origin: string) {
  const url = `${repositoryUrl(run.repository, origin)}/check-runs/${run.databaseId}`
  return {
    id: run.databaseId,
    name: run.name,
    node_id: run.nodeId,
    head_sha: run.suite.headSha,
    external_id: '',
    url,
    html_url: run.suite.run ? run.detailsUrl : pageUrl(paths.checkRun(run)),
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.title,
      summary: run.summary,
      text: null,
      annotations_count: 0,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suite.databaseId },
    app: appJson(run.suite.app, origin),
    pull_requests: pullRequestsOfSuite(run.suite, origin),
  }
}

export function checkSuiteJson(suite: CheckSuite, { store, origin, principal }: RestCall) {
  const url = `${repositoryUrl(suite.repository, origin)}/check-suites/${suite.databaseId}`
  return {
    id: suite.databaseId,
    node_id: suite.nodeId,
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...progressOf(suite),
    url,
    before: null,
    after: suite.headSha,
    pull_requests: pullRequestsOfSuite(suite, origin),
    app: appJson(suite.app, origin),
    repository: repositoryJson(suite.repository, origin, principal),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    head_commit: headCommitJson(store, suite.repository, suite.headSha),
    latest_check_runs_count: latestRuns(suite).length,
    check_runs_url: `${url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  }
}

/** A status in the combined list, which has no creator. */
export function simpleStatusJson(status: StatusContext, origin: string) {
  return {
    url: `${repositoryUrl(status.repository, origin)}/statuses/${status.sha}`,
    avatar_url: avatarUrl(status.creator),
    id: status.databaseId,
    node_id: status.nodeId,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.updatedAt,
  }
}

export function statusJson(status: StatusContext, origin: string) {
  return {
    ...simpleStatusJson(status, origin),
    creator: accountJson(status.creator, origin),
  }
}

/** A pull request inside a check or workflow run. */
export function minimalPullRequestJson(pull: PullRequest, origin: string) {
  const branch = ({ name, sha, repository }: PullRequest['head']) => ({
    ref: name,
    sha,
    repo: {
      id: repository.databaseId,
      url: repositoryUrl(repository, origin),
      name: repository.name,
    },
  })
  return {
    id: pull.databaseId,
    number: pull.number,
    url: pullUrl(pull, origin),
    head: branch(pull.head),
    base: branch(pull.base),
  }
}

function pullRequestsOfSuite({ run }: CheckSuite, origin: string) {
  return run ? pullRequestsOf(run).map(pull => minimalPullRequestJson(pull, origin)) : []
}

/** The owner of GitHub's own app. In the sandbox it owns all apps. */
const github: Organization = {
  kind: 'Organization',
  databaseId: 9919,
  nodeId: 'MDEyOk9yZ2FuaXphdGlvbjk5MTk=',
  login: 'github',
  name: 'GitHub',
  email: null,
  location: null,
  websiteUrl: null,
  twitterUsername: null,
  description: null,
  isVerified: true,
  archivedAt: null,
  members: new Set(),
  issueTypes: [],
  teams: [],
  createdAt: '2008-05-11T04:37:31Z',
}

function appJson(app: App, origin: string) {
  return {
    id: app.databaseId,
    slug: app.slug,
    node_id: Buffer.from(`03:App${app.databaseId}`).toString('base64'),
    owner: accountJson(github, origin),
    name: app.name,
    description: null,
    external_url: 'https://help.github.com/en/actions',
    html_url: pageUrl(`/apps/${app.slug}`),
    created_at: '2018-07-30T09:30:17Z',
    updated_at: '2019-12-10T19:04:12Z',
    permissions: { checks: 'write', metadata: 'read', statuses: 'write' },
    events: ['check_run', 'check_suite'],
  }
}
