import type { PullRequest, Store } from '../../../../sandbox/index.ts'
import type { Input, ParityCase, ParityCases } from '../../case.ts'
import { hello, repositoryIn, times, userIn } from '../../worlds.ts'

function runIdIn(store: Store, branch: string): number | undefined {
  const runs = store.workflowRuns.of(repositoryIn(store, hello))
  return runs.find(run => run.suite.headBranch === branch)?.databaseId
}

/** The input for a branch's run and a pull request. */
const of =
  (prNumber: number, branch: string) =>
  (store: Store): Input => ({
    ...hello,
    prNumber,
    runId: runIdIn(store, branch),
  })

const reruns: readonly ParityCase[] = [
  { input: of(4, 'topic-4'), title: 'a failed run' },
  { input: of(12, 'topic-12'), title: 'a run of a closed pull request' },
  { input: of(8, 'topic-8'), fails: 'CONFLICT', title: 'a run under way' },
  { input: of(4, 'topic-20'), fails: 'NOT_FOUND', title: 'a run of another pull request' },
  { input: of(4, 'main'), fails: 'NOT_FOUND', title: 'a run of no pull request' },
  { input: of(1, 'topic-4'), fails: 'NOT_FOUND', title: 'an issue' },
  { input: { ...hello, prNumber: 4, runId: 999_999 }, fails: 'NOT_FOUND' },
]

export const cases: ParityCases = {
  'pr.checks.list': [
    { input: { ...hello, prNumber: 4 } },
    { input: { ...hello, prNumber: 8 } },
    { input: { ...hello, prNumber: 12 } },
    { input: { ...hello, prNumber: 20 }, title: 'checks of another app' },
    { input: { ...hello, prNumber: 28 }, title: 'no checks' },
    { input: { ...hello, prNumber: 4, state: 'success' } },
    { input: { ...hello, prNumber: 4, state: 'failure' } },
    { input: { ...hello, prNumber: 8, state: 'pending' } },
    { input: { ...hello, prNumber: 20, state: 'skipped' } },
    {
      input: { ...hello, prNumber: 4 },
      given: store => {
        const { head } = repositoryIn(store, hello).items.get(4) as PullRequest
        const [suite] = store.checks.suites(repositoryIn(store, hello), head.sha)
        times(130, number => {
          if (suite) store.checks.addRun(suite, { name: `part ${number}` })
          const context = `report ${number}`
          const creator = userIn(store)
          store.checks.addStatus(repositoryIn(store, hello), {
            sha: head.sha,
            context,
            creator,
            state: 'pending',
          })
        })
      },
      title: 'more than 100 of each kind',
    },
    { input: { ...hello, prNumber: 1 }, fails: 'NOT_FOUND', title: 'an issue' },
    { input: { ...hello, prNumber: 999 }, fails: 'NOT_FOUND' },
    { input: { owner: 'octo-org', name: 'nothing-here', prNumber: 1 }, fails: 'NOT_FOUND' },
  ],
  'pr.checks.rerun.all': [
    ...reruns,
    { input: of(20, 'topic-20'), title: 'a run that has succeeded' },
  ],
  'pr.checks.rerun.failed': [
    ...reruns,
    { input: of(20, 'topic-20'), fails: 'CONFLICT', title: 'a run that has succeeded' },
  ],
}
