import type { Store, WorkflowRun } from '../../../../sandbox/index.ts'
import type { GhCommand } from '../command.ts'

const run = (branch: string) => (store: Store) =>
  store.workflowRuns.all().find(({ suite }) => suite.headBranch === branch) as WorkflowRun

const workflow = (title: string) => (store: Store) =>
  store.workflows.all().find(({ name }) => name === title)

const dispatched = (store: Store) =>
  store.workflowRuns.all().findLast(({ event }) => event === 'workflow_dispatch')

export const commands: readonly GhCommand[] = [
  {
    run: 'run list --workflow=ci.yml --limit=2 --json=headBranch,status',
    json: [
      { headBranch: 'topic-24', status: 'queued' },
      { headBranch: 'topic-20', status: 'completed' },
    ],
  },
  {
    run: 'run list --branch=topic-4 --user=hubot',
    prints: 'completed\tfailure\tChange number 4\tCI\ttopic-4\tpull_request',
  },
  { run: 'run view $failed --verbose', prints: '✓ Run npm run lint' },
  {
    run: [
      'run',
      'view',
      '$failed',
      '--json=conclusion,jobs',
      '--jq={conclusion, jobs: .jobs | map(.name)}',
    ],
    json: { conclusion: 'failure', jobs: ['lint', 'test', 'deploy'] },
  },
  { run: 'run view $failed --exit-status', prints: 'X test in 2m0s', code: 1 },
  { run: 'run view --job=$job', prints: 'X Run npm run test' },
  {
    run: 'run view $failed --log',
    prints: 'lint\tRun npm ci\t2026-01-13T10:00:29.0001234Z added 213 packages',
  },
  { run: 'run view $failed --log-failed', prints: 'test\tRun npm run test\t' },
  { run: 'run view --job=$job --log', prints: '##[error]test 61 of 61 failed' },
  { run: 'run view $queued --log', prints: 'still in progress', code: 1 },
  {
    run: 'run download $released --name=coverage --dir=got',
    makes: { 'got/content.txt': 'coverage of Release\n' },
  },
  { run: 'run download $released --name=old-logs', prints: 'no artifact matches', code: 1 },
  {
    run: 'api --method=DELETE repos/{owner}/{repo}/actions/runs/$failed',
    leaves: [run('topic-4'), undefined],
  },
  {
    run: 'run rerun $failed',
    leaves: [run('topic-4'), { attempt: 2, suite: { progress: { status: 'queued' } } }],
  },
  { run: 'run watch $passed', prints: "has already completed with 'success'" },
  {
    run: 'run watch $failed --exit-status',
    prints: "has already completed with 'failure'",
    code: 1,
  },
  {
    run: 'run cancel $queued',
    leaves: [run('topic-24'), { suite: { progress: { conclusion: 'cancelled' } } }],
  },
  { run: 'run cancel $passed', prints: 'Cannot cancel a workflow run that is completed', code: 1 },
  { run: 'run rerun $queued', prints: 'cannot be rerun', code: 1 },
  {
    run: 'run rerun --job=$job',
    leaves: [
      store => run('topic-4')(store).suite.checkRuns.map(({ name }) => name),
      ['lint', 'test', 'deploy', 'test'],
    ],
  },
  { run: 'workflow enable Nightly', leaves: [workflow('Nightly'), { state: 'active' }] },
  { run: 'workflow disable ci.yml', leaves: [workflow('CI'), { state: 'disabled_manually' }] },
  { run: 'workflow list --limit=1', prints: 'CI\tactive\t' },
  { run: 'workflow view CI --yaml', prints: 'runs-on: ubuntu-latest' },
  {
    run: 'workflow run release.yml --raw-field=environment=staging --ref=topic-4',
    leaves: [dispatched, { event: 'workflow_dispatch', suite: { headBranch: 'topic-4' } }],
  },
  {
    run: 'workflow run release.yml --json',
    stdin: '{"environment":"nowhere"}',
    prints: 'not in the list of allowed values',
    code: 1,
  },
]
