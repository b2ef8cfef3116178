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

/** How far something is, and how it ended: the second only with `completed`. */
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

/** What one app reports of one commit. For GitHub Actions, that is one run of a workflow. */
export interface CheckSuite extends Entity<'CheckSuite'> {
  repository: Repository
  app: App
  headSha: string
  headBranch: string | null
  run: WorkflowRun | null
  /** Oldest first; those that were run again stay in front of their successors. */
  checkRuns: CheckRun[]
  /** Where there are no check runs to tell it. */
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

/** A check run. A job of a workflow run is one, and has its number. */
export interface CheckRun extends Entity<'CheckRun'>, Progress {
  repository: Repository
  suite: CheckSuite
  name: string
  /** Of the workflow run; 1 for others. */
  attempt: number
  detailsUrl: string | null
  title: string | null
  summary: string | null
  steps: Step[]
  /** What the job printed; null while there is nothing. */
  log: string | null
  /** A log is kept for some months. */
  isLogExpired: boolean
  createdAt: Timestamp
  startedAt: Timestamp | null
  completedAt: Timestamp | null
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success'

/** A commit status: one of a context replaces the one before. */
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

/** What `workflow_dispatch` takes: name → whether it must be given, and what may be chosen. */
export type DispatchInputs = Readonly<
  Record<string, { readonly required?: boolean; readonly options?: readonly string[] }>
>

export interface Workflow extends Entity<'Workflow'> {
  repository: Repository
  name: string
  path: string
  state: WorkflowState
  /** Null if it cannot be started by hand. */
  dispatch: DispatchInputs | null
  /** Names of the jobs that a new run begins with. */
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
  /** Of the latest attempt. */
  startedAt: Timestamp
}

/** Not a node of the GraphQL API, but it has a global id all the same. */
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
