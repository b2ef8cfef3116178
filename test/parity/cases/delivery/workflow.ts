import type { Conclusion, Store, Workflow, WorkflowRun } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { Input, ManyItemsByCapability, ParityCase, ParityCases } from '../../case.ts'
import { filteredRuns } from '../../filters/git.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
const nowhere = { owner: 'octo-org', name: 'nothing-here' }

function workflowIn(store: Store, file: string, where = hello): Workflow {
  return store.workflows.find(repositoryIn(store, where), file) as Workflow
}

function runIn(store: Store, branch: string, where = hello): WorkflowRun {
  const runs = store.workflowRuns.of(repositoryIn(store, where))
  return runs.find(run => run.suite.headBranch === branch) as WorkflowRun
}

const run =
  (branch: string, where = hello) =>
  (store: Store): Input => ({
    ...where,
    runId: runIn(store, branch, where).databaseId,
  })

const job =
  (branch: string, name: string) =>
  (store: Store): Input => ({
    ...hello,
    jobId: runIn(store, branch).suite.checkRuns.find(it => it.name === name)?.databaseId,
  })

/** Sets the log of pull request 4's failed job. */
const logged = (log: string) => (store: Store) => {
  const failed = runIn(store, 'topic-4').suite.checkRuns.find(it => it.name === 'test')
  if (failed) failed.log = log
}

/** Adds another user's repository, which octocat may only read. */
function addForeignRun(store: Store): WorkflowRun {
  const owner = store.accounts.findUser('mallory')
  if (!owner) throw new Error('the seed has no mallory')
  const repository = store.repositories.add({ owner, name: 'open' })
  const workflow = store.workflows.add(repository, { name: 'CI', dispatch: {} })
  return store.workflowRuns.add(workflow, {
    headSha: store.git.of(repository).head as string,
    headBranch: 'main',
    event: 'push',
    actor: owner,
    jobs: [{ name: 'build', conclusion: 'failure' }],
  })
}

const foreign = { owner: 'mallory', name: 'open' }

/** Cases for finished and unfinished runs, shared by several capabilities. */
const reruns: readonly ParityCase[] = [
  { input: run('topic-4'), title: 'a failed run' },
  { input: run('topic-12'), title: 'a cancelled run' },
  {
    input: run('topic-4'),
    given: store => {
      const failed = runIn(store, 'topic-4')
      store.workflowRuns.rerun(failed, userIn(store), failed.suite.checkRuns)
    },
    fails: 'CONFLICT',
    title: 'one that was just run again',
  },
  { input: run('topic-8'), fails: 'CONFLICT', title: 'a run under way' },
  { input: { ...hello, runId: 999_999 }, fails: 'NOT_FOUND' },
  { input: { ...nowhere, runId: 1 }, fails: 'NOT_FOUND' },
  { input: run('main', attic), fails: 'FORBIDDEN', title: 'in an archived repository' },
  {
    input: run('main', foreign),
    given: addForeignRun,
    fails: 'FORBIDDEN',
    title: 'in a repository that one may only read',
  },
]

export const cases: ParityCases = {
  'workflow.list': [
    { input: hello },
    { input: { ...hello, first: 2 } },
    { input: spoon, title: 'an empty list' },
    { input: nowhere, fails: 'NOT_FOUND' },
  ],
  'workflow.enable': [
    {
      input: { ...hello, workflowId: 'ci.yml' },
      given: store => store.workflows.setState(workflowIn(store, 'ci.yml'), 'disabled_manually'),
      leaves: { look: store => workflowIn(store, 'ci.yml').state, see: 'active' },
    },
    { input: { ...hello, workflowId: 'ci.yml' }, title: 'one that is enabled' },
    { input: { ...hello, workflowId: 'none.yml' }, fails: 'NOT_FOUND' },
    { input: { ...hello, workflowId: '../ci.yml' }, fails: 'VALIDATION' },
  ],
  'workflow.disable': [
    {
      input: store => ({ ...hello, workflowId: workflowIn(store, 'ci.yml').databaseId }),
      leaves: { look: store => workflowIn(store, 'ci.yml').state, see: 'disabled_manually' },
    },
    { input: { ...hello, workflowId: 'none.yml' }, fails: 'NOT_FOUND' },
  ],
  'workflow.view': [
    { input: store => ({ ...hello, workflowId: workflowIn(store, 'ci.yml').databaseId }) },
    { input: { ...hello, workflowId: 'nightly-build.yaml' } },
    { input: { ...hello, workflowId: 999_999 }, fails: 'NOT_FOUND' },
    { input: { ...hello, workflowId: 'none.yml' }, fails: 'NOT_FOUND' },
    { input: { ...hello, workflowId: '--web' }, fails: 'VALIDATION' },
    { input: { ...hello, workflowId: '../ci.yml' }, fails: 'VALIDATION' },
  ],
  'workflow.runs.list': [
    { input: hello },
    { input: { ...hello, status: 'failure' } },
    { input: { ...hello, status: 'in_progress' } },
    { input: { ...hello, branch: 'main', event: 'push' } },
    ...filteredRuns,
    { input: { ...hello, branch: 'no/such-branch&' }, title: 'a filter that finds nothing' },
    { input: { ...hello, branch: 'no such branch' }, fails: 'VALIDATION' },
    { input: spoon, title: 'an empty list' },
    { input: nowhere, fails: 'NOT_FOUND' },
    { input: { ...hello, event: 'a&b' }, fails: 'VALIDATION' },
  ],
  'workflow.run.view': [
    ...ofActors(
      run('topic-4'),
      (store, actor) => Object.assign(runIn(store, 'topic-4'), { actor, triggeringActor: actor }),
      data => data.triggeringActor,
    ),
    { input: run('topic-4') },
    { input: run('topic-8'), title: 'a run under way' },
    { input: run('topic-24'), title: 'a run that waits' },
    {
      input: run('topic-4'),
      given: store => {
        const again = runIn(store, 'topic-4')
        store.workflowRuns.rerun(again, userIn(store), again.suite.checkRuns)
      },
      title: 'the second attempt of a run',
    },
    {
      input: run('topic-4'),
      given: store =>
        times(130, number => {
          store.checks.addRun(runIn(store, 'topic-4').suite, { name: `job ${number}` })
        }),
      title: 'more than 100 jobs',
    },
    { input: { ...hello, runId: 999_999 }, fails: 'NOT_FOUND' },
  ],
  'workflow.job.view': [
    {
      input: job('topic-4', 'test'),
      answers: { look: data => data.steps[2].conclusion, see: 'FAILURE' },
    },
    { input: job('topic-8', 'test'), title: 'a job under way' },
    { input: job('topic-24', 'test'), title: 'a job that waits' },
    { input: { ...hello, jobId: 999_999 }, fails: 'NOT_FOUND' },
    { input: { ...nowhere, jobId: 1 }, fails: 'NOT_FOUND' },
  ],
  'workflow.run.artifacts.list': [
    { input: store => withArtifacts(store) },
    { input: run('topic-4'), title: 'an empty list' },
    { input: { ...hello, runId: 999_999 }, fails: 'NOT_FOUND' },
  ],
  'workflow.run.cancel': [
    { input: run('topic-8') },
    { input: run('topic-24'), title: 'a run that waits' },
    { input: run('topic-4'), fails: 'CONFLICT', title: 'a finished run' },
    { input: { ...hello, runId: 999_999 }, fails: 'NOT_FOUND' },
    { input: run('main', attic), fails: 'FORBIDDEN', title: 'in an archived repository' },
  ],
  'workflow.run.rerun.all': [
    ...reruns,
    { input: run('topic-20'), title: 'a run that has succeeded' },
  ],
  'workflow.run.rerun.failed': [
    ...reruns,
    { input: run('topic-20'), fails: 'CONFLICT', title: 'a run that has succeeded' },
  ],
  'workflow.dispatch': [
    {
      input: store => ({
        ...hello,
        workflowId: workflowIn(store, 'release.yml').databaseId,
        ref: 'main',
        inputs: { environment: 'staging', dry_run: true },
      }),
    },
    {
      input: {
        ...hello,
        workflowId: 'release.yml',
        ref: 'v0.2.0',
        inputs: { environment: 'production' },
      },
    },
    {
      input: { ...hello, workflowId: 'release.yml', ref: 'main' },
      fails: 'VALIDATION',
      title: 'an input that is required',
    },
    {
      input: {
        ...hello,
        workflowId: 'release.yml',
        ref: 'main',
        inputs: { environment: 'staging', other: 'x' },
      },
      fails: 'VALIDATION',
      title: 'an input that is not declared',
    },
    { input: { ...hello, workflowId: 'ci.yml', ref: 'main' }, fails: 'VALIDATION' },
    { input: { ...hello, workflowId: 'nightly-build.yaml', ref: 'main' }, fails: 'VALIDATION' },
    { input: { ...hello, workflowId: 'release.yml', ref: 'no-such-branch' }, fails: 'VALIDATION' },
    { input: { ...hello, workflowId: 'none.yml', ref: 'main' }, fails: 'NOT_FOUND' },
    { input: { ...attic, workflowId: 'ci.yml', ref: 'main' }, fails: 'FORBIDDEN' },
  ],
  'workflow.job.logs.raw': [
    { input: job('topic-4', 'test') },
    { input: job('topic-4', 'test'), given: logged(''), title: 'an empty log' },
    {
      input: job('topic-4', 'test'),
      given: logged('2026-01-13T09:03:31.0001234Z A line of some length: é, 😀.\r\n'.repeat(9000)),
      title: 'a log that is too long',
    },
    { input: job('topic-8', 'test'), fails: 'NOT_FOUND', title: 'a job under way' },
    {
      input: job('topic-4', 'lint'),
      given: store => {
        const [lint] = runIn(store, 'topic-4').suite.checkRuns
        if (lint) lint.isLogExpired = true
      },
      fails: 'NOT_FOUND',
      title: 'a log that is no longer kept',
    },
    { input: { ...hello, jobId: 999_999 }, fails: 'NOT_FOUND' },
  ],
  'workflow.job.logs.view': [
    { input: job('topic-4', 'test') },
    { input: job('topic-20', 'lint'), title: 'a job that has succeeded' },
    { input: job('topic-12', 'test'), title: 'a job that was cancelled' },
    {
      input: job('topic-4', 'test'),
      given: logged('2026-01-13T09:03:31.0001234Z ##[error]Again.\n'.repeat(70)),
      title: 'many errors',
    },
    { input: job('topic-4', 'test'), given: logged(''), title: 'an empty log' },
    { input: job('topic-8', 'test'), fails: 'NOT_FOUND', title: 'a job under way' },
    { input: { ...hello, jobId: 999_999 }, fails: 'NOT_FOUND' },
  ],
}

/** The run that has artifacts. */
function withArtifacts(store: Store): Input {
  const found = store.workflowRuns.all().find(it => it.artifacts.length > 0)
  return { ...hello, runId: found?.databaseId }
}

const conclusions: readonly Conclusion[] = ['success', 'failure', 'cancelled', 'skipped']

export const manyItems: ManyItemsByCapability = {
  'workflow.list': {
    given: store =>
      times(230, number => {
        store.workflows.add(repositoryIn(store, spoon), { name: `Workflow ${number}` })
      }),
    input: spoon,
    count: 230,
  },
  'workflow.runs.list': {
    given: store => {
      const repository = repositoryIn(store, spoon)
      const workflow = store.workflows.add(repository, { name: 'CI' })
      times(230, number => {
        store.workflowRuns.add(workflow, {
          headSha: store.git.of(repository).head as string,
          headBranch: 'main',
          event: 'push',
          actor: userIn(store),
          progress: { status: 'completed', conclusion: conclusions[number % 4] ?? null },
        })
      })
    },
    input: { ...spoon, branch: 'main' },
    count: 230,
  },
  'workflow.run.artifacts.list': {
    given: store =>
      times(230, number => {
        store.workflowRuns.addArtifact(runIn(store, 'topic-4'), { name: `part ${number}`, size: 1 })
      }),
    input: run('topic-4'),
    count: 230,
  },
}
