import type { WorkflowRun } from './actions/entities.ts'
import { latestRuns } from './actions/progress.ts'
import type {
  Deployment,
  DeploymentReview,
  DeploymentStatus,
  Environment,
  PendingDeployment,
} from './deployment-entities.ts'
import type { Repository, Timestamp } from './entities.ts'
import { newestFirst } from './order.ts'
import type { Registry } from './registry.ts'

type Dated = { readonly createdAt?: Timestamp }
type NewEnvironment = Pick<Environment, 'name'> & Partial<Settings> & Dated
type Settings = Pick<Environment, 'waitTimer' | 'reviewers' | 'preventsSelfReview' | 'branches'>

export type NewDeployment = Pick<Deployment, 'environment' | 'ref' | 'sha' | 'creator'> &
  Partial<Pick<Deployment, 'task' | 'description' | 'isProduction'>> &
  Dated

export type NewStatus = Pick<DeploymentStatus, 'state' | 'creator'> &
  Partial<Pick<DeploymentStatus, 'description' | 'environmentUrl' | 'logUrl'>> &
  Dated

/** Environments and deployments of repositories, and those of workflow runs that wait for a review. */
export class Deployments {
  readonly #registry: Registry
  readonly #environments: Environment[] = []
  readonly #deployments: Deployment[] = []
  readonly #pending: PendingDeployment[] = []
  readonly #reviews: DeploymentReview[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addEnvironment(repository: Repository, fields: NewEnvironment): Environment {
    return this.#push(this.#environments, {
      waitTimer: 0,
      reviewers: [],
      preventsSelfReview: false,
      branches: 'all',
      ...fields,
      ...this.#begin('Environment', repository, fields),
      repository,
    })
  }

  add(repository: Repository, fields: NewDeployment): Deployment {
    return this.#push(this.#deployments, {
      task: 'deploy',
      description: null,
      isProduction: fields.environment === 'production',
      ...fields,
      ...this.#begin('Deployment', repository, fields),
      repository,
      statuses: [],
    })
  }

  addStatus(deployment: Deployment, fields: NewStatus): DeploymentStatus {
    const status = this.#push(deployment.statuses, {
      description: '',
      environmentUrl: '',
      logUrl: '',
      ...fields,
      ...this.#begin('DeploymentStatus', deployment.repository, fields),
    })
    deployment.updatedAt = status.createdAt
    return status
  }

  environmentsOf(repository: Repository): Environment[] {
    return this.#environments.filter(it => it.repository === repository)
  }

  of(repository: Repository): Deployment[] {
    return newestFirst(this.#deployments.filter(it => it.repository === repository))
  }

  /** Lets a workflow run wait for a review. */
  wait(run: WorkflowRun, environment: Environment): PendingDeployment {
    const deployment = this.add(run.repository, {
      environment: environment.name,
      ref: run.suite.headBranch ?? run.suite.headSha,
      sha: run.suite.headSha,
      creator: run.actor,
    })
    this.addStatus(deployment, { state: 'pending', creator: run.actor })
    return this.#push(this.#pending, { run, environment, deployment })
  }

  pendingOf(run: WorkflowRun): PendingDeployment[] {
    return this.#pending.filter(it => it.run === run)
  }

  /** Approves or rejects waiting deployments of one run. Its waiting jobs go on, or fail. */
  review(
    run: WorkflowRun,
    waiting: readonly PendingDeployment[],
    { user, state, comment }: Pick<DeploymentReview, 'user' | 'state' | 'comment'>,
  ): Deployment[] {
    const isApproved = state === 'approved'
    for (const one of waiting) {
      this.#pending.splice(this.#pending.indexOf(one), 1)
      this.addStatus(one.deployment, { state: isApproved ? 'queued' : 'failure', creator: user })
    }
    const at = this.#registry.timestamp()
    for (const job of latestRuns(run.suite).filter(({ status }) => status === 'waiting')) {
      const failed = { status: 'completed', conclusion: 'failure', completedAt: at } as const
      Object.assign(job, isApproved ? { status: 'queued' } : failed)
    }
    const environments = waiting.map(({ environment }) => environment)
    this.#push(this.#reviews, { run, environments, state, user, comment })
    return waiting.map(({ deployment }) => deployment)
  }

  reviewsOf(run: WorkflowRun): DeploymentReview[] {
    return this.#reviews.filter(it => it.run === run)
  }

  all(): readonly unknown[] {
    return [...this.#environments, ...this.#deployments, ...this.#pending, ...this.#reviews]
  }

  #begin(
    kind: 'Environment' | 'Deployment' | 'DeploymentStatus',
    repository: Repository,
    { createdAt = this.#registry.timestamp() }: Dated,
  ) {
    return { ...this.#registry.identify(kind, repository), createdAt, updatedAt: createdAt }
  }

  #push<Kind>(entries: Kind[], entry: Kind): Kind {
    entries.push(entry)
    this.#registry.recordWrite()
    return entry
  }
}
