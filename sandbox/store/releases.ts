import type { Release, Repository, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

export interface NewRelease {
  tagName: string
  author: User
  name?: string | null
  body?: string | null
  targetCommitish?: string
  isDraft?: boolean
  isPrerelease?: boolean
  createdAt?: Timestamp
}

export class Releases {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewRelease): Release {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const isDraft = fields.isDraft ?? false
    const release: Release = {
      kind: 'Release',
      ...this.#registry.identify('Release', repository),
      repository,
      author: fields.author,
      tagName: fields.tagName,
      targetCommitish: fields.targetCommitish ?? repository.defaultBranch,
      name: fields.name ?? null,
      body: fields.body ?? null,
      isDraft,
      isPrerelease: fields.isPrerelease ?? false,
      createdAt,
      updatedAt: createdAt,
      publishedAt: isDraft ? null : createdAt,
    }
    repository.releases.push(release)
    return this.#registry.register(release)
  }
}

/** Newest first, as both APIs list them; two of the same second by id. */
export function newestFirst(releases: readonly Release[]): Release[] {
  return releases.toSorted(
    (a, b) => b.createdAt.localeCompare(a.createdAt) || b.databaseId - a.databaseId,
  )
}

/** The latest release is the newest one that is neither a draft nor a prerelease. */
export function latestRelease(repository: Repository): Release | undefined {
  return newestFirst(repository.releases).find(release => !release.isDraft && !release.isPrerelease)
}
