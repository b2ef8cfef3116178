import { createHash } from 'node:crypto'
import type { Release, Repository, Timestamp, User } from './entities.ts'
import type { Git } from './git/git.ts'
import { isValidRefName } from './git/ref-name.ts'
import { newestFirst } from './order.ts'
import { type FieldProblem, invalid } from './refusal.ts'
import { type Registry, toTimestamp } from './registry.ts'

export interface ReleaseChanges {
  tagName?: string
  name?: string | null
  body?: string | null
  targetCommitish?: string
  isDraft?: boolean
  isPrerelease?: boolean
  latest?: Latest
}

export interface NewRelease extends ReleaseChanges {
  tagName: string
  author: User
  createdAt?: Timestamp
}

/** Whether to mark a release as the latest. With `legacy`, the dates decide. */
export type Latest = 'true' | 'false' | 'legacy'

export class Releases {
  readonly #registry: Registry
  readonly #git: Git

  constructor(registry: Registry, git: Git) {
    this.#registry = registry
    this.#git = git
  }

  /** Adds a release without checks. Its tag need not exist. */
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
      assets: [],
    }
    repository.releases.push(release)
    return this.#registry.register(release)
  }

  /** Creates a release as GitHub does: checks it, and creates the tag if it is published. */
  create(repository: Repository, fields: NewRelease): Release {
    const isDraft = fields.isDraft ?? false
    const { tagName, targetCommitish = repository.defaultBranch } = fields
    this.#check({ repository, tagName, targetCommitish, isDraft }, null)
    const release = this.add(repository, { ...fields, isDraft: true })
    if (!isDraft) this.#publish(release, fields.latest)
    return release
  }

  update(release: Release, { isDraft, latest, ...changes }: ReleaseChanges): void {
    const wanted = { ...release, ...changes, isDraft: isDraft ?? release.isDraft }
    this.#check(wanted, release)
    Object.assign(release, changes, { updatedAt: this.#registry.timestamp() })
    if (wanted.isDraft) Object.assign(release, { isDraft: true, publishedAt: null })
    else this.#publish(release, latest)
    this.#registry.recordWrite()
  }

  /** Deletes a release and keeps its tag. */
  delete(release: Release): void {
    const { repository } = release
    repository.releases = repository.releases.filter(it => it !== release)
    if (repository.namedLatest === release) repository.namedLatest = null
    this.#registry.unregister(release)
  }

  /** A draft may have any tag and target. A published release needs an unused tag and a commit. */
  #check(wanted: Wanted, own: Release | null): void {
    const { repository, tagName, targetCommitish, isDraft } = wanted
    if (!isValidRefName(`refs/tags/${tagName}`)) {
      throw problem('tag_name', 'custom', 'tag_name is not well-formed')
    }
    if (isDraft) return
    const isTaken = repository.releases.some(
      release => release !== own && !release.isDraft && release.tagName === tagName,
    )
    if (isTaken) throw problem('tag_name', 'already_exists')
    const hasCommit =
      this.#git.tag(repository, tagName) ?? this.#git.commitOf(repository, targetCommitish)
    if (!hasCommit) throw problem('target_commitish', 'invalid')
  }

  /** Publishes a release and creates its tag. `createdAt` becomes the date of the tagged commit. */
  #publish(release: Release, latest?: Latest): void {
    const { repository, tagName, targetCommitish, isDraft: isNew } = release
    const before = latestRelease(repository) ?? null
    const commit = this.#git.commitOf(repository, targetCommitish)
    if (!this.#git.tag(repository, tagName) && commit) {
      this.#git.createTag(repository, { name: tagName, oid: commit.oid })
    }
    release.isDraft = false
    release.publishedAt ??= this.#registry.timestamp()
    const tagged = this.#git.commitOf(repository, `refs/tags/${tagName}`)
    if (tagged) release.createdAt = toTimestamp(tagged.committer.seconds * 1000)
    // A newly published release becomes the latest unless the caller says otherwise.
    const isLatestByDefault = isNew && !release.isPrerelease
    markLatest(release, latest ?? (isLatestByDefault ? 'true' : undefined), before)
  }
}

function markLatest(release: Release, latest: Latest | undefined, before: Release | null): void {
  const { repository } = release
  if (latest === 'true') repository.namedLatest = release
  if (latest === 'false' && before !== release) repository.namedLatest = before
  if (latest === 'legacy') repository.namedLatest = null
}

type Wanted = Pick<Release, 'repository' | 'tagName' | 'targetCommitish' | 'isDraft'>

function problem(field: string, code: FieldProblem['code'], message?: string) {
  const fields = { resource: 'Release', field, code, ...(message && { message }) }
  return invalid(message ?? `${field} is ${code}`, fields)
}

/** The last part of a release's URL: its tag, or a placeholder for a draft, which has none. */
export function pageName({ isDraft, tagName, nodeId }: Release): string {
  if (!isDraft) return encodeURIComponent(tagName)
  return `untagged-${createHash('sha1').update(nodeId).digest('hex').slice(0, 20)}`
}

/** The release marked as latest, or the last published one. Never a draft or a prerelease. */
export function latestRelease(repository: Repository): Release | undefined {
  const { namedLatest } = repository
  if (namedLatest && !namedLatest.isDraft && !namedLatest.isPrerelease) return namedLatest
  const published = (release: Release) => release.publishedAt ?? ''
  return newestFirst(repository.releases)
    .filter(release => !release.isDraft && !release.isPrerelease)
    .toSorted((a, b) => published(b).localeCompare(published(a)))[0]
}
