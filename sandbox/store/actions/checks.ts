import { pageUrl, paths } from '../../urls.ts'
import type { Repository, Timestamp, User } from '../entities.ts'
import type { Registry } from '../registry.ts'
import type {
  App,
  CheckRun,
  CheckSuite,
  Progress,
  StatusContext,
  StatusState,
  Step,
} from './entities.ts'

/** GitHub's own app, with its real id. */
export const ACTIONS: App = { databaseId: 15_368, slug: 'github-actions', name: 'GitHub Actions' }

export interface NewSuite {
  headSha: string
  headBranch?: string | null
  app?: App
  progress?: Progress
  createdAt?: Timestamp
}

export interface NewCheckRun extends Partial<Progress> {
  name: string
  detailsUrl?: string | null
  title?: string | null
  summary?: string | null
  steps?: Step[]
  log?: string | null
  createdAt?: Timestamp
  startedAt?: Timestamp | null
  completedAt?: Timestamp | null
}

export interface NewStatus {
  sha: string
  context: string
  state: StatusState
  creator: User
  description?: string | null
  targetUrl?: string | null
  createdAt?: Timestamp
}

const QUEUED: Progress = { status: 'queued', conclusion: null }

/** Reports on commits: check suites with their runs, and commit statuses. */
export class Checks {
  readonly #registry: Registry
  readonly #suites = new Map<Repository, CheckSuite[]>()
  readonly #statuses = new Map<Repository, StatusContext[]>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addSuite(repository: Repository, fields: NewSuite): CheckSuite {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const suite: CheckSuite = {
      kind: 'CheckSuite',
      ...this.#registry.identify('CheckSuite', repository),
      repository,
      app: fields.app ?? ACTIONS,
      headSha: fields.headSha,
      headBranch: fields.headBranch ?? null,
      run: null,
      checkRuns: [],
      progress: fields.progress ?? QUEUED,
      createdAt,
      updatedAt: createdAt,
    }
    this.#suites.set(repository, [...this.suites(repository), suite])
    return this.#registry.register(suite)
  }

  deleteSuite(suite: CheckSuite): void {
    const { repository } = suite
    const others = this.suites(repository).filter(it => it !== suite)
    this.#suites.set(repository, others)
    for (const run of suite.checkRuns) this.#registry.unregister(run)
    this.#registry.unregister(suite)
  }

  addRun(suite: CheckSuite, fields: NewCheckRun): CheckRun {
    const { repository } = suite
    const identity = this.#registry.identify('CheckRun', repository)
    const { createdAt = this.#registry.timestamp(), conclusion = null, ...others } = fields
    const run: CheckRun = {
      kind: 'CheckRun',
      ...identity,
      repository,
      suite,
      attempt: suite.run?.attempt ?? 1,
      status: conclusion ? 'completed' : 'queued',
      conclusion,
      detailsUrl: suite.run && pageUrl(paths.job(suite.run, identity.databaseId)),
      title: null,
      summary: null,
      steps: [],
      log: null,
      isLogExpired: false,
      createdAt,
      startedAt: null,
      completedAt: null,
      ...others,
    }
    suite.checkRuns.push(run)
    return this.#registry.register(run)
  }

  addStatus(repository: Repository, fields: NewStatus): StatusContext {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const { sha, context, state, creator, description = null, targetUrl = null } = fields
    const status: StatusContext = {
      kind: 'StatusContext',
      ...this.#registry.identify('StatusContext', repository),
      repository,
      sha,
      context,
      state,
      description,
      targetUrl,
      creator,
      createdAt,
      updatedAt: createdAt,
    }
    this.#statuses.set(repository, [...this.statuses(repository), status])
    return this.#registry.register(status)
  }

  suites(repository: Repository, sha?: string): readonly CheckSuite[] {
    const all = this.#suites.get(repository) ?? []
    return sha === undefined ? all : all.filter(suite => suite.headSha === sha)
  }

  all(): (CheckSuite | StatusContext)[] {
    return [...this.#suites.values(), ...this.#statuses.values()].flat()
  }

  findRun(repository: Repository, databaseId: number): CheckRun | undefined {
    for (const suite of this.suites(repository)) {
      const found = suite.checkRuns.find(run => run.databaseId === databaseId)
      if (found) return found
    }
    return undefined
  }

  /** All statuses, oldest first. */
  statuses(repository: Repository, sha?: string): readonly StatusContext[] {
    const all = this.#statuses.get(repository) ?? []
    return sha === undefined ? all : all.filter(status => status.sha === sha)
  }

  /** The last status of each context. */
  latestStatuses(repository: Repository, sha: string): StatusContext[] {
    const all = this.statuses(repository, sha)
    return [...new Map(all.map(status => [status.context, status])).values()]
  }
}
