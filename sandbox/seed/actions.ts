import type { NewCheckRun } from '../store/actions/checks.ts'
import type { App, Conclusion, Step, Workflow, WorkflowRun } from '../store/actions/entities.ts'
import type { PullRequest, Repository, Timestamp, User } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'

const SCANNER: App = { databaseId: 7001, slug: 'octo-scan', name: 'Octo Scan' }

/**
 * Adds the workflows of octo-org/hello-world, and checks for its pull requests: 4 has failed, 8 is
 * in progress, 12 was cancelled, 20 has passed, 24 is queued. The others have no checks. The
 * archived octo-org/attic has a failed run.
 */
export function seedActions(store: Store, hello: Repository, octocat: User, hubot: User): void {
  const { ci, release } = addWorkflows(store, hello)
  const main = { headBranch: 'main', headSha: store.git.of(hello).head as string, actor: octocat }
  store.workflowRuns.add(ci, {
    ...main,
    event: 'push',
    title: 'One part for each change',
    jobs: jobs(day(12), ['success', 'success', 'success']),
    createdAt: day(12),
  })
  addPullRequestRun(store, ci, 4, ['success', 'failure', 'skipped'])
  addPullRequestRun(store, ci, 8, ['success', 'in_progress', 'queued'])
  addPullRequestRun(store, ci, 12, ['success', 'cancelled', 'skipped'])
  addPullRequestRun(store, ci, 20, ['success', 'success', 'success'])
  addPullRequestRun(store, ci, 24, ['queued', 'queued', 'queued'])
  seedReports(store, hello, hubot)

  const published = store.workflowRuns.add(release, {
    ...main,
    event: 'workflow_dispatch',
    jobs: jobs(day(14), ['success', 'success', 'success']),
    createdAt: day(14),
  })
  addArtifacts(store, published)
  seedAttic(store, octocat)
}

function addWorkflows(store: Store, hello: Repository) {
  const createdAt = day(11)
  const ci = store.workflows.add(hello, { name: 'CI', createdAt })
  const release = store.workflows.add(hello, {
    name: 'Release',
    dispatch: {
      environment: { required: true, options: ['staging', 'production'] },
      dry_run: {},
    },
    createdAt,
  })
  store.workflows.add(hello, {
    name: 'Nightly',
    path: '.github/workflows/nightly-build.yaml',
    state: 'disabled_manually',
    dispatch: {},
    createdAt,
  })
  return { ci, release }
}

/** Runs start one hour apart, in the order of the pull requests' numbers. */
function addPullRequestRun(store: Store, ci: Workflow, number: number, outcomes: Outcomes): void {
  const { head, title, author } = ci.repository.items.get(number) as PullRequest
  const createdAt = day(13, number / 4)
  store.workflowRuns.add(ci, {
    headBranch: head.name,
    headSha: head.sha,
    event: 'pull_request',
    actor: author,
    title,
    jobs: jobs(createdAt, outcomes),
    createdAt,
  })
}

function addArtifacts(store: Store, run: WorkflowRun): void {
  const createdAt = day(14, 1)
  store.workflowRuns.addArtifact(run, { name: 'coverage', size: 18_204, createdAt })
  store.workflowRuns.addArtifact(run, { name: 'dist', size: 1_048_576, createdAt })
  store.workflowRuns.addArtifact(run, { name: 'old-logs', size: 512, isExpired: true, createdAt })
}

/** Reports from outside GitHub Actions: commit statuses, and the checks of another app. */
function seedReports(store: Store, hello: Repository, hubot: User): void {
  const shaOf = (number: number) => (hello.items.get(number) as PullRequest).head.sha
  const failed = { sha: shaOf(4), creator: hubot, createdAt: day(13, 5) }
  store.checks.addStatus(hello, {
    ...failed,
    context: 'coverage/report',
    state: 'pending',
    description: 'Counting.',
  })
  store.checks.addStatus(hello, {
    ...failed,
    context: 'coverage/report',
    state: 'success',
    description: '93 % of all lines.',
    targetUrl: 'https://coverage.example.test/octo-org/hello-world/4',
  })
  store.checks.addStatus(hello, { ...failed, context: 'legacy-ci', state: 'error' })

  const scan = store.checks.addSuite(hello, {
    headSha: shaOf(20),
    headBranch: 'topic-20',
    app: SCANNER,
    createdAt: day(13, 6),
  })
  store.checks.addRun(scan, {
    name: 'Code scan',
    conclusion: 'neutral',
    detailsUrl: 'https://scan.example.test/20',
    title: 'Nothing new',
    summary: 'No new findings.',
    createdAt: day(13, 6),
    startedAt: day(13, 6),
    completedAt: day(13, 7),
  })
}

function seedAttic(store: Store, octocat: User): void {
  const attic = store.repositories.find('octo-org', 'attic') as Repository
  const workflow = store.workflows.add(attic, { name: 'CI', dispatch: {}, createdAt: day(11) })
  store.workflowRuns.add(workflow, {
    headBranch: 'main',
    headSha: store.git.of(attic).head as string,
    event: 'push',
    actor: octocat,
    jobs: jobs(day(12), ['failure', 'skipped', 'skipped']),
    createdAt: day(12),
  })
}

type Outcome = Conclusion | 'in_progress' | 'queued'
type Outcomes = readonly [lint: Outcome, test: Outcome, deploy: Outcome]

const MINUTE = 60_000

/** Three jobs in sequence, each with a few steps. */
function jobs(start: Timestamp, outcomes: Outcomes): NewCheckRun[] {
  return ['lint', 'test', 'deploy'].map((name, index) =>
    job(name, Date.parse(start) + index * 3 * MINUTE, outcomes[index] ?? 'queued'),
  )
}

function job(name: string, begin: number, outcome: Outcome): NewCheckRun {
  const createdAt = toTimestamp(begin)
  if (outcome === 'queued') return { name, createdAt }
  if (outcome === 'skipped') {
    return { name, createdAt, conclusion: outcome, startedAt: createdAt, completedAt: createdAt }
  }
  const steps = stepsOf(name, begin, outcome)
  if (outcome === 'in_progress') {
    return { name, createdAt, status: outcome, startedAt: createdAt, steps }
  }
  return {
    name,
    createdAt,
    conclusion: outcome,
    startedAt: createdAt,
    completedAt: toTimestamp(begin + 2 * MINUTE),
    steps,
    log: logOf(name, begin, outcome),
  }
}

function stepsOf(name: string, begin: number, outcome: Outcome): Step[] {
  const step = (number: number, title: string, from: number, to: number): Step => ({
    number,
    name: title,
    status: 'completed',
    conclusion: 'success',
    startedAt: toTimestamp(begin + from * 1000),
    completedAt: toTimestamp(begin + to * 1000),
  })
  const work = step(3, `Run npm run ${name}`, 30, 110)
  if (outcome === 'in_progress') {
    Object.assign(work, { status: 'in_progress', conclusion: null, completedAt: null })
    return [step(1, 'Set up job', 0, 5), step(2, 'Run npm ci', 5, 30), work]
  }
  return [
    step(1, 'Set up job', 0, 5),
    step(2, 'Run npm ci', 5, 30),
    { ...work, conclusion: outcome as Conclusion },
    step(4, 'Complete job', 110, 115),
  ]
}

/** Cached: every reset seeds the same jobs, and formatting their logs takes a third of the time. */
const knownLogs = new Map<string, string>()

function logOf(name: string, begin: number, outcome: Outcome): string {
  const key = `${name} ${begin} ${outcome}`
  const log = knownLogs.get(key) ?? writeLog(name, begin, outcome)
  knownLogs.set(key, log)
  return log
}

/** A log in a runner's format: each line has a time, and `##[group]` marks the start of a step. */
function writeLog(name: string, begin: number, outcome: Outcome): string {
  const lines: [second: number, text: string][] = [
    [0, "Current runner version: '2.328.0'"],
    [1, '##[group]Operating System'],
    [1, 'Ubuntu'],
    [1, '##[endgroup]'],
    [5, '##[group]Run npm ci'],
    [5, 'npm ci'],
    [5, 'shell: /usr/bin/bash -e {0}'],
    [5, '##[endgroup]'],
    [28, '##[warning]A package is no longer maintained.'],
    [29, 'added 213 packages in 24s'],
    [30, `##[group]Run npm run ${name}`],
    [30, `npm run ${name}`],
    [30, '##[endgroup]'],
    ...Array.from({ length: 60 }, (_, index): [number, string] => [
      31 + index,
      ` ✓ ${name} ${index + 1} of 61`,
    ]),
    ...(outcome === 'failure'
      ? ([
          [92, ` ✗ ${name} 61 of 61: expected 'Hello' to be 'Hello, world'`],
          [93, `##[error]${name} 61 of 61 failed`],
          [110, '##[error]Process completed with exit code 1.'],
        ] as [number, string][])
      : []),
    ...(outcome === 'cancelled'
      ? [[110, '##[error]The operation was canceled.'] as [number, string]]
      : []),
    [112, 'Cleaning up orphan processes'],
  ]
  const time = (second: number) =>
    new Date(begin + second * 1000).toISOString().replace('Z', '1234Z')
  return lines.map(([second, text]) => `${time(second)} ${text}\n`).join('')
}

function day(number: number, hours = 0): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, number, 9) + hours * 3_600_000)
}
