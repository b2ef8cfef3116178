import type { Account, Permission, Repository, User, Visibility } from './entities.ts'
import type { Registry } from './registry.ts'

export interface NewRepository {
  owner: Account
  name: string
  description?: string | null
  homepageUrl?: string | null
  visibility?: Visibility
  isArchived?: boolean
  hasIssues?: boolean
  defaultBranch?: string
  language?: string | null
  topics?: string[]
  stargazerCount?: number
  forkCount?: number
  watcherCount?: number
  collaborators?: Iterable<readonly [User, Permission]>
  createdAt?: string
}

export class Repositories {
  readonly #registry: Registry
  readonly #byFullName = new Map<string, Repository>()
  readonly #byDatabaseId = new Map<number, Repository>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(fields: NewRepository): Repository {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const repository: Repository = {
      kind: 'Repository',
      ...this.#registry.identify('Repository'),
      owner: fields.owner,
      name: fields.name,
      description: fields.description ?? null,
      homepageUrl: fields.homepageUrl ?? null,
      visibility: fields.visibility ?? 'public',
      isArchived: fields.isArchived ?? false,
      hasIssues: fields.hasIssues ?? true,
      defaultBranch: fields.defaultBranch ?? 'main',
      language: fields.language ?? null,
      topics: fields.topics ?? [],
      stargazerCount: fields.stargazerCount ?? 0,
      forkCount: fields.forkCount ?? 0,
      watcherCount: fields.watcherCount ?? 0,
      collaborators: new Map(fields.collaborators),
      createdAt,
      updatedAt: createdAt,
      pushedAt: createdAt,
      items: new Map(),
      lastNumber: 0,
      labels: [],
      milestones: [],
      releases: [],
    }
    this.#byFullName.set(fullName(repository).toLowerCase(), repository)
    this.#byDatabaseId.set(repository.databaseId, repository)
    return this.#registry.register(repository)
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

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`
}
