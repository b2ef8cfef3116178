import type { PullRequest, Repository, Timestamp, User } from '../entities.ts'
import { pullRequestsIn } from '../items.ts'
import { nodeId } from '../node-id.ts'
import { type Registry, toTimestamp } from '../registry.ts'
import type { Checks, NewCheckRun } from './checks.ts'
import type { Artifact, CheckRun, Progress, Workflow, WorkflowRun } from './entities.ts'
import { latestRuns } from './progress.ts'

export interface NewRun {
  headSha: string
  headBranch: string
  headRepository?: Repository
  event: string
  actor: User
  title?: string
  jobs?: readonly NewCheckRun[]
  /** Used if there are no jobs. */
  progress?: Progress
  createdAt?: Timestamp
}

export interface NewArtifact {
  name: string
  size: number
  isExpired?: boolean
  createdAt?: Timestamp
}

const NINETY_DAYS = 90 * 24 * 3_600_000

/** Workflow runs. Nothing is executed: a run keeps its state until a request changes it. */
export class WorkflowRuns {
  readonly #registry: Registry
  readonly #checks: Checks
  readonly #byRepository = new Map<Repository, WorkflowRun[]>()

  constructor(registry: Registry, checks: Checks) {
    this.#registry = registry
    this.#checks = checks
  }

  add(workflow: Workflow, fields: NewRun): WorkflowRun {
    const { repository } = workflow
    const { createdAt = this.#registry.timestamp(), headSha, headBranch, event, actor } = fields
    const suite = this.#checks.addSuite(repository, {
      headSha,
      headBranch,
      createdAt,
      ...(fields.progress && { progress: fields.progress }),
    })
    const run: WorkflowRun = {
      kind: 'WorkflowRun',
      ...this.#registry.identify('WorkflowRun', repository),
      repository,
      headRepository: fields.headRepository ?? repository,
      workflow,
      suite,
      number: this.of(repository).filter(it => it.workflow === workflow).length + 1,
      attempt: 1,
      event,
      title: fields.title ?? workflow.name,
      actor,
      triggeringActor: actor,
      artifacts: [],
      createdAt,
      updatedAt: (fields.jobs ?? []).reduce(
        (latest, { completedAt }) => (completedAt && completedAt > latest ? completedAt : latest),
        createdAt,
      ),
      startedAt: createdAt,
    }
    suite.run = run
    for (const job of fields.jobs ?? []) this.#checks.addRun(suite, { createdAt, ...job })
    this.#byRepository.set(repository, [...this.of(repository), run])
    return this.#registry.register(run)
  }

  /** Starts a workflow manually. Its jobs stay queued. */
  dispatch(workflow: Workflow, ref: { branch: string; sha: string }, actor: User): WorkflowRun {
    return this.add(workflow, {
      headSha: ref.sha,
      headBranch: ref.branch,
      event: 'workflow_dispatch',
      actor,
      jobs: workflow.jobs.map(name => ({ name })),
    })
  }

  /** Starts a new attempt of these jobs. */
  rerun(run: WorkflowRun, actor: User, jobs: readonly CheckRun[]): void {
    const now = this.#registry.timestamp()
    run.attempt += 1
    Object.assign(run, { startedAt: now, updatedAt: now, triggeringActor: actor })
    run.suite.progress = { status: 'queued', conclusion: null }
    // `addRun` appends to the suite's list, which `jobs` may be.
    const names = jobs.map(({ name }) => name)
    for (const name of names) this.#checks.addRun(run.suite, { name })
    this.#registry.recordWrite()
  }

  cancel(run: WorkflowRun): void {
    const now = this.#registry.timestamp()
    const ended = { status: 'completed', conclusion: 'cancelled' } as const
    run.suite.progress = ended
    for (const job of latestRuns(run.suite)) {
      if (job.status !== 'completed') Object.assign(job, { ...ended, completedAt: now })
    }
    run.updatedAt = now
    this.#registry.recordWrite()
  }

  /** Deletes a run with its check suite. */
  delete(run: WorkflowRun): void {
    const others = this.of(run.repository).filter(it => it !== run)
    this.#byRepository.set(run.repository, others)
    this.#checks.deleteSuite(run.suite)
    this.#registry.unregister(run)
  }

  addArtifact(run: WorkflowRun, fields: NewArtifact): Artifact {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const databaseId = this.#registry.nextId()
    const artifact: Artifact = {
      databaseId,
      nodeId: nodeId('Artifact', databaseId, run.repository.databaseId),
      run,
      name: fields.name,
      size: fields.size,
      isExpired: fields.isExpired ?? false,
      createdAt,
      expiresAt: toTimestamp(Date.parse(createdAt) + NINETY_DAYS),
    }
    run.artifacts.push(artifact)
    this.#registry.recordWrite()
    return artifact
  }

  of(repository: Repository): readonly WorkflowRun[] {
    return this.#byRepository.get(repository) ?? []
  }

  all(): WorkflowRun[] {
    return [...this.#byRepository.values()].flat()
  }

  find(repository: Repository, databaseId: number): WorkflowRun | undefined {
    return this.of(repository).find(run => run.databaseId === databaseId)
  }
}

/** The open pull requests of a run. Like GitHub, it leaves out those from forks. */
export function pullRequestsOf(run: WorkflowRun): PullRequest[] {
  const { repository, headRepository, suite } = run
  return pullRequestsIn(repository).filter(({ state, head }) => {
    const isHead = head.repository === headRepository && head.name === suite.headBranch
    return isHead && state === 'open' && headRepository === repository
  })
}
