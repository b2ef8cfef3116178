import type { Entity, Repository, Timestamp, User } from '../entities.ts'

export type CheckStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'waiting'
  | 'requested'
  | 'pending'

export type Conclusion =
  | 'success'
  | 'failure'
  | 'neutral'
  | 'cancelled'
  | 'skipped'
  | 'timed_out'
  | 'action_required'
  | 'startup_failure'
  | 'stale'

/** Status and conclusion. A conclusion is set only when the status is `completed`. */
export interface Progress {
  status: CheckStatus
  conclusion: Conclusion | null
}

/** A GitHub App that reports checks. */
export interface App {
  readonly databaseId: number
  readonly slug: string
  readonly name: string
}

/** The checks of one app for one commit. For GitHub Actions, this is one workflow run. */
export interface CheckSuite extends Entity<'CheckSuite'> {
  repository: Repository
  app: App
  headSha: string
  headBranch: string | null
  run: WorkflowRun | null
  /** Oldest first. A rerun adds a new check run and keeps the old one. */
  checkRuns: CheckRun[]
  /** Used only while there are no check runs to derive it from. */
  progress: Progress
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Step extends Progress {
  name: string
  number: number
  startedAt: Timestamp | null
  completedAt: Timestamp | null
}

/** A check run. A job of a workflow run is a check run with the same id. */
export interface CheckRun extends Entity<'CheckRun'>, Progress {
  repository: Repository
  suite: CheckSuite
  name: string
  /** The attempt of the workflow run; 1 for other checks. */
  attempt: number
  detailsUrl: string | null
  title: string | null
  summary: string | null
  steps: Step[]
  /** The job's output; null if there is none yet. */
  log: string | null
  /** GitHub deletes logs after some months. */
  isLogExpired: boolean
  createdAt: Timestamp
  startedAt: Timestamp | null
  completedAt: Timestamp | null
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success'

/** A commit status. A newer status of the same context replaces the older one. */
export interface StatusContext extends Entity<'StatusContext'> {
  repository: Repository
  sha: string
  context: string
  state: StatusState
  description: string | null
  targetUrl: string | null
  creator: User
  createdAt: Timestamp
  updatedAt: Timestamp
}

export type WorkflowState =
  | 'active'
  | 'deleted'
  | 'disabled_fork'
  | 'disabled_inactivity'
  | 'disabled_manually'

/** The inputs of `workflow_dispatch`: name → whether it is required, and its allowed values. */
export type DispatchInputs = Readonly<
  Record<string, { readonly required?: boolean; readonly options?: readonly string[] }>
>

export interface Workflow extends Entity<'Workflow'> {
  repository: Repository
  name: string
  path: string
  state: WorkflowState
  /** Null if the workflow cannot be started manually. */
  dispatch: DispatchInputs | null
  /** Names of the jobs of a new run. */
  jobs: readonly string[]
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface WorkflowRun extends Entity<'WorkflowRun'> {
  repository: Repository
  headRepository: Repository
  workflow: Workflow
  suite: CheckSuite
  number: number
  attempt: number
  event: string
  title: string
  actor: User
  triggeringActor: User
  artifacts: Artifact[]
  createdAt: Timestamp
  updatedAt: Timestamp
  /** Start of the latest attempt. */
  startedAt: Timestamp
}

/** Has a global id, although it is not a node of the GraphQL API. */
export interface Artifact {
  readonly databaseId: number
  readonly nodeId: string
  run: WorkflowRun
  name: string
  size: number
  isExpired: boolean
  createdAt: Timestamp
  expiresAt: Timestamp
}

export type ActionsNode = CheckSuite | CheckRun | StatusContext | Workflow | WorkflowRun
