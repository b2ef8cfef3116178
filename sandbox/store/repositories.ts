import type { Account, Permission, Repository, User, Visibility } from './entities.ts'
import type { Git } from './git/git.ts'
import type { License } from './licenses.ts'
import { defaultMergeSettings } from './merge-rules.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewRepository {
  owner: Account
  name: string
  description?: string | null
  homepageUrl?: string | null
  visibility?: Visibility
  isArchived?: boolean
  hasIssues?: boolean
  hasWiki?: boolean
  defaultBranch?: string
  language?: string | null
  license?: License | null
  topics?: string[]
  stargazerCount?: number
  forkCount?: number
  watcherCount?: number
  collaborators?: Iterable<readonly [User, Permission]>
  createdAt?: string
  parent?: Repository
}

export interface NewFork {
  owner: Account
  by: User
  name?: string | undefined
  onlyDefaultBranch: boolean
}

export type RepositoryChanges = Partial<
  Pick<
    Repository,
    | 'name'
    | 'description'
    | 'homepageUrl'
    | 'visibility'
    | 'isArchived'
    | 'hasIssues'
    | 'hasWiki'
    | 'defaultBranch'
    | 'merging'
  >
>

const EMPTY =
  'The repository exists, but it contains no Git content. Empty repositories cannot be forked.'

export class Repositories {
  readonly #registry: Registry
  readonly #git: Git
  readonly #byFullName = new Map<string, Repository>()
  readonly #byDatabaseId = new Map<number, Repository>()

  constructor(registry: Registry, git: Git) {
    this.#registry = registry
    this.#git = git
  }

  add(fields: NewRepository): Repository {
    const { createdAt = this.#registry.timestamp(), collaborators = [], ...others } = fields
    const repository: Repository = {
      kind: 'Repository',
      ...this.#registry.identify('Repository'),
      description: null,
      homepageUrl: null,
      visibility: 'public',
      isArchived: false,
      hasIssues: true,
      hasWiki: true,
      hasDiscussions: false,
      defaultBranch: 'main',
      language: null,
      license: null,
      topics: [],
      stargazerCount: 0,
      forkCount: 0,
      watcherCount: 0,
      parent: null,
      ...others,
      collaborators: new Map(collaborators),
      createdAt,
      updatedAt: createdAt,
      pushedAt: createdAt,
      merging: defaultMergeSettings(),
      items: new Map(),
      lastNumber: 0,
      labels: [],
      milestones: [],
      releases: [],
      namedLatest: null,
      pinned: [],
    }
    this.#byFullName.set(fullName(repository).toLowerCase(), repository)
    this.#byDatabaseId.set(repository.databaseId, repository)
    return this.#registry.register(repository)
  }

  /** Creates a repository for a caller. It stays empty unless `isInitialized` asks for a first commit. */
  create(fields: NewRepository, isInitialized: boolean): Repository {
    requireFreeName(this.find(fields.owner.login, fields.name))
    const repository = this.add(fields)
    if (!isInitialized) this.#git.initEmpty(repository)
    return repository
  }

  /** Forks a repository. An account has at most one fork, so forking again returns that one. */
  fork(parent: Repository, fields: NewFork): Repository {
    if (this.#git.isEmpty(parent)) throw new Refusal('forbidden', EMPTY)
    const forks = this.forksOf(parent)
    const known = forks.find(({ owner }) => owner === fields.owner)
    if (known) return known
    if (fields.name !== undefined) requireFreeName(this.find(fields.owner.login, fields.name))
    const repository = this.add({
      owner: fields.owner,
      name: fields.name ?? this.#freeName(fields.owner, parent.name),
      description: parent.description,
      homepageUrl: parent.homepageUrl,
      visibility: parent.visibility,
      hasIssues: false,
      defaultBranch: parent.defaultBranch,
      language: parent.language,
      license: parent.license,
      collaborators: fields.owner === fields.by ? [] : [[fields.by, 'admin']],
      parent,
    })
    this.#git.fork(parent, repository, fields.onlyDefaultBranch)
    parent.forkCount += 1
    return repository
  }

  /** Changes a repository. A new name must be free or its own. */
  update(repository: Repository, changes: RepositoryChanges): void {
    const { owner, name } = repository
    if (changes.name !== undefined) {
      const taken = this.find(owner.login, changes.name)
      if (taken !== repository) requireFreeName(taken)
      this.#byFullName.delete(`${owner.login}/${name}`.toLowerCase())
      this.#byFullName.set(`${owner.login}/${changes.name}`.toLowerCase(), repository)
    }
    Object.assign(repository, changes, { updatedAt: this.#registry.timestamp() })
    this.#registry.recordWrite()
  }

  /** Deletes a repository with all its contents. Its forks remain. */
  delete(repository: Repository): void {
    for (const fork of this.forksOf(repository)) fork.parent = repository.parent
    for (const node of this.#registry.nodes()) {
      if ('repository' in node && node.repository === repository) this.#registry.unregister(node)
    }
    this.#byFullName.delete(fullName(repository).toLowerCase())
    this.#byDatabaseId.delete(repository.databaseId)
    this.#registry.unregister(repository)
  }

  forksOf(parent: Repository): Repository[] {
    return this.all().filter(repository => repository.parent === parent)
  }

  setTopics(repository: Repository, topics: readonly string[]): void {
    repository.topics = [...new Set(topics)]
    repository.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  /** Appends a number if the name is taken, as GitHub does: `hello-world-1`. */
  #freeName(owner: Account, name: string): string {
    let free = name
    for (let count = 1; this.find(owner.login, free); count += 1) free = `${name}-${count}`
    return free
  }

  find(owner: string, name: string): Repository | undefined {
    return this.#byFullName.get(`${owner}/${name}`.toLowerCase())
  }

  findById(databaseId: number): Repository | undefined {
    return this.#byDatabaseId.get(databaseId)
  }

  ownedBy(owner: Account): Repository[] {
    return this.all().filter(repository => repository.owner === owner)
  }

  all(): Repository[] {
    return [...this.#byDatabaseId.values()]
  }
}

const TOPIC = /^[a-z0-9][a-z0-9-]{0,49}$/
const MAX_TOPICS = 20

/** The names that GitHub refuses: malformed ones, and those beyond the maximum number. */
export function invalidTopics(names: readonly string[]): string[] {
  return names.filter((name, index) => !TOPIC.test(name) || index >= MAX_TOPICS)
}

function requireFreeName(taken: Repository | undefined): void {
  if (!taken) return
  const message = 'name already exists on this account'
  throw invalid(message, { resource: 'Repository', code: 'custom', field: 'name', message })
}

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`
}
