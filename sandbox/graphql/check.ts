import type * as G from '@octokit/graphql-schema'
import type { App, CheckRun, CheckSuite, StatusContext, Step } from '../store/actions/entities.ts'
import { latestRuns, progressOf } from '../store/actions/progress.ts'
import { pullRequestsOf } from '../store/actions/runs.ts'
import { avatarUrl, pageUrl, paths } from '../urls.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Fields } from './fields.ts'

export const checkRunFields: Fields<CheckRun, G.CheckRun> = {
  id: run => run.nodeId,
  databaseId: run => run.databaseId,
  name: run => run.name,
  status: run => run.status.toUpperCase(),
  conclusion: run => run.conclusion?.toUpperCase() ?? null,
  startedAt: run => run.startedAt,
  completedAt: run => run.completedAt,
  detailsUrl: run => run.detailsUrl,
  externalId: () => '',
  url: run => pageUrl(paths.checkRun(run)),
  permalink: run => pageUrl(paths.checkRun(run)),
  resourcePath: paths.checkRun,
  title: run => run.title,
  summary: run => run.summary,
  text: () => null,
  checkSuite: run => run.suite,
  repository: run => run.repository,
  // The sandbox has no rules that require a check.
  isRequired: () => false,
  annotations: emptyConnection,
  steps(run, args: G.CheckRunStepsArgs, _context, info) {
    const wanted = run.steps.filter(({ number }) => number === (args.number ?? number))
    return connection(wanted.map(asNode), args, info)
  },
}

export const checkStepFields: Fields<Step, G.CheckStep> = {
  name: step => step.name,
  number: step => step.number,
  status: step => step.status.toUpperCase(),
  conclusion: step => step.conclusion?.toUpperCase() ?? null,
  startedAt: step => step.startedAt,
  completedAt: step => step.completedAt,
  secondsToCompletion: () => null,
  externalId: () => null,
}

export const checkSuiteFields: Fields<CheckSuite, G.CheckSuite> = {
  id: suite => suite.nodeId,
  databaseId: suite => suite.databaseId,
  app: suite => suite.app,
  status: suite => progressOf(suite).status.toUpperCase(),
  conclusion: suite => progressOf(suite).conclusion?.toUpperCase() ?? null,
  commit: (suite, _args, { store }) => store.git.commitAt(suite.repository, suite.headSha),
  branch: ({ repository, headBranch }, _args, { store }) =>
    (headBranch && store.git.branch(repository, headBranch)) || null,
  creator: suite => suite.run?.actor ?? null,
  repository: suite => suite.repository,
  workflowRun: suite => suite.run,
  url: suite => pageUrl(paths.checkSuite(suite)),
  resourcePath: paths.checkSuite,
  createdAt: suite => suite.createdAt,
  updatedAt: suite => suite.updatedAt,
  matchingPullRequests: ({ run }, args: G.CheckSuiteMatchingPullRequestsArgs, _context, info) =>
    connection(run ? pullRequestsOf(run) : [], args, info),
  checkRuns(suite, args: G.CheckSuiteCheckRunsArgs, _context, info) {
    const { checkType, checkName, status, appId } = args.filterBy ?? {}
    const runs = checkType === 'LATEST' ? latestRuns(suite) : suite.checkRuns
    const found = runs
      .filter(run => run.name === (checkName ?? run.name))
      .filter(run => run.status.toUpperCase() === (status ?? run.status.toUpperCase()))
      .filter(() => suite.app.databaseId === (appId ?? suite.app.databaseId))
    return connection(found, args, info)
  },
}

export const appFields: Fields<App, G.App> = {
  id: app => Buffer.from(`03:App${app.databaseId}`).toString('base64'),
  databaseId: app => app.databaseId,
  slug: app => app.slug,
  name: app => app.name,
  description: () => null,
  url: app => pageUrl(`/apps/${app.slug}`),
}

export const statusContextFields: Fields<StatusContext, G.StatusContext> = {
  id: status => status.nodeId,
  context: status => status.context,
  state: status => status.state.toUpperCase(),
  description: status => status.description,
  targetUrl: status => status.targetUrl,
  avatarUrl: status => avatarUrl(status.creator),
  creator: status => status.creator,
  createdAt: status => status.createdAt,
  commit: (status, _args, { store }) => store.git.commitAt(status.repository, status.sha),
  isRequired: () => false,
}

/** A step has no global id. Its number is enough for a cursor. */
function asNode(step: Step) {
  return { ...step, nodeId: `step ${step.number}` }
}
