import type { WorkflowRun } from './actions/entities.ts'
import type { Repository, Timestamp, User } from './entities.ts'

/** Environments, deployments and their statuses have global ids; the sandbox shows them in REST only. */
interface Identified {
  readonly databaseId: number
  readonly nodeId: string
  readonly createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Environment extends Identified {
  readonly repository: Repository
  readonly name: string
  /** Minutes that each deployment waits; 0 for none. */
  readonly waitTimer: number
  readonly reviewers: readonly User[]
  readonly preventsSelfReview: boolean
  /** The branches that may deploy: all, the protected ones, or those that fit one of these patterns. */
  readonly branches: 'all' | 'protected' | readonly string[]
}

/** GitHub's published schema has no `waiting`. */
export type DeploymentState =
  | 'error'
  | 'failure'
  | 'inactive'
  | 'pending'
  | 'success'
  | 'queued'
  | 'in_progress'

export interface Deployment extends Identified {
  readonly repository: Repository
  readonly environment: string
  /** The branch, tag or commit as it was named when the deployment was made. */
  readonly ref: string
  readonly sha: string
  readonly task: string
  readonly description: string | null
  readonly creator: User
  readonly isProduction: boolean
  /** Oldest first. */
  readonly statuses: DeploymentStatus[]
}

export interface DeploymentStatus extends Identified {
  readonly state: DeploymentState
  readonly description: string
  readonly environmentUrl: string
  readonly logUrl: string
  readonly creator: User
}

/** A deployment of a workflow run that waits for a review of its environment. */
export interface PendingDeployment {
  readonly run: WorkflowRun
  readonly environment: Environment
  readonly deployment: Deployment
}

export interface DeploymentReview {
  readonly run: WorkflowRun
  readonly environments: readonly Environment[]
  readonly state: 'approved' | 'rejected'
  readonly user: User
  readonly comment: string
}
