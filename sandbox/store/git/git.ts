import type { Repository } from '../entities.ts'
import { readGitNodeId } from '../node-id.ts'
import { invalid } from '../refusal.ts'
import type { Registry } from '../registry.ts'
import { writeCommit, writeInitialCommit } from './commits.ts'
import { type Comparison, compareCommits } from './compare.ts'
import { historyOf, touching } from './history.ts'
import { type MergeOutcome, mergeInto } from './merge-commits.ts'
import { type Commit, type GitObjectNode, objectNode, type Ref, refNode } from './nodes.ts'
import { ObjectDatabase, type Oid } from './objects.ts'
import { isValidRefName } from './ref-name.ts'
import { GitRepository } from './repository.ts'
import { signatureOf } from './signature.ts'
import type { Merging, NewCommit, NewTag } from './writes.ts'

/** A branch or tag was created, moved, or (null) deleted. */
export interface Push {
  readonly repository: Repository
  readonly ref: string
  readonly oid: Oid | null
}

export type PushListener = (push: Push) => void

/** The git data of all repositories, in memory, with the object names that git would give. */
export class Git {
  readonly #registry: Registry
  readonly #repositories = new Map<Repository, GitRepository>()
  readonly #listeners: PushListener[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  onPush(listener: PushListener): void {
    this.#listeners.push(listener)
  }

  /** A repository's objects and refs. The first access adds a README, unless `initEmpty` was called. */
  of(repository: Repository): GitRepository {
    const known = this.#repositories.get(repository)
    if (known) return known
    const git = this.initEmpty(repository)
    const tip = writeInitialCommit(git.objects, repository)
    git.refs.set(`refs/heads/${repository.defaultBranch}`, tip)
    return git
  }

  /** Creates an empty git repository. */
  initEmpty(repository: Repository): GitRepository {
    const git = new GitRepository(repository, new ObjectDatabase())
    this.#repositories.set(repository, git)
    return git
  }

  isEmpty(repository: Repository): boolean {
    return this.of(repository).refs.size === 0
  }

  /** The fork starts with the same branches and tags, or only with the default branch. */
  fork(source: Repository, target: Repository, onlyDefaultBranch = false): void {
    const { objects, refs } = this.of(source)
    const git = new GitRepository(target, objects)
    for (const [name, oid] of refs) {
      if (!onlyDefaultBranch || name === `refs/heads/${source.defaultBranch}`)
        git.refs.set(name, oid)
    }
    this.#repositories.set(target, git)
  }

  /** The refs of every repository that has been accessed. */
  all(): { repository: Repository; refs: ReadonlyMap<string, Oid> }[] {
    return [...this.#repositories].map(([repository, { refs }]) => ({ repository, refs }))
  }

  /** Resolves a revision: `main`, `v1.0`, a sha or its prefix, `HEAD~2`, `main:README.md`. */
  object(repository: Repository, revision: string): GitObjectNode | undefined {
    const git = this.of(repository)
    const oid = git.resolve(revision)
    return oid === undefined ? undefined : objectNode(repository, git.objects, oid)
  }

  commitOf(repository: Repository, revision: string): Commit | undefined {
    const git = this.of(repository)
    const oid = git.commitOf(revision)
    return oid === undefined ? undefined : this.commitAt(repository, oid)
  }

  commitAt(repository: Repository, oid: Oid): Commit {
    return objectNode(repository, this.of(repository).objects, oid) as Commit
  }

  /** Finds a git object or ref by global id, which holds the repository's id and the object's name. */
  node(id: string, find: (databaseId: number) => Repository | undefined) {
    const read = readGitNodeId(id)
    const repository = read && find(read.repositoryId)
    if (!read || !repository) return undefined
    if (read.kind === 'Ref') return this.ref(repository, read.name)
    const node = objectNode(repository, this.of(repository).objects, read.name)
    return node?.kind === read.kind ? node : undefined
  }

  /** The refs whose full name starts with the prefix, sorted by name. */
  refs(repository: Repository, prefix: string): Ref[] {
    return [...this.of(repository).refs]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, oid]) => refNode(repository, name, oid))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  ref(repository: Repository, name: string): Ref | undefined {
    const oid = this.of(repository).refs.get(name)
    return oid === undefined ? undefined : refNode(repository, name, oid)
  }

  branch(repository: Repository, name: string): Ref | undefined {
    return this.ref(repository, `refs/heads/${name}`)
  }

  tag(repository: Repository, name: string): Ref | undefined {
    return this.ref(repository, `refs/tags/${name}`)
  }

  /** Creates a branch or tag by its full name. */
  createRef(repository: Repository, name: string, oid: Oid): Ref {
    const problem = { resource: 'Reference', field: 'ref' } as const
    if (!isValidRefName(name)) {
      throw invalid('Reference name is not valid', { ...problem, code: 'invalid' })
    }
    if (this.ref(repository, name)) {
      throw invalid('Reference already exists', { ...problem, code: 'already_exists' })
    }
    return this.updateRef(repository, name, oid)
  }

  /** Creates a tag. With a message and a tagger it is annotated. */
  createTag(repository: Repository, fields: NewTag): Ref {
    const { name, message, tagger, date = this.#registry.timestamp() } = fields
    const { objects } = this.of(repository)
    const data =
      message !== undefined && tagger
        ? { object: fields.oid, tag: name, message, tagger: signatureOf(tagger, date) }
        : undefined
    const oid = data ? objects.add({ type: 'tag', data }) : fields.oid
    return this.createRef(repository, `refs/tags/${name}`, oid)
  }

  /** Moves a branch or tag without checks. Callers check what is allowed. */
  updateRef(repository: Repository, name: string, oid: Oid): Ref {
    this.of(repository).refs.set(name, oid)
    this.#pushed(repository, name, oid)
    return refNode(repository, name, oid)
  }

  deleteRef(repository: Repository, name: string): void {
    this.of(repository).refs.delete(name)
    this.#pushed(repository, name, null)
  }

  renameBranch(repository: Repository, from: string, to: string): Ref {
    const { oid } = this.branch(repository, from) as Ref
    const renamed = this.createRef(repository, `refs/heads/${to}`, oid)
    if (repository.defaultBranch === from) repository.defaultBranch = to
    this.deleteRef(repository, `refs/heads/${from}`)
    return renamed
  }

  /** Adds a commit to a branch. Creates the branch if needed. */
  commit(repository: Repository, fields: NewCommit): Commit {
    const { objects, refs, head } = this.of(repository)
    const { author, date = this.#registry.timestamp(), message, changes } = fields
    const name = `refs/heads/${fields.branch ?? repository.defaultBranch}`
    const parent = refs.get(name) ?? fields.from ?? head
    const signature = signatureOf(author, date)
    const oid = writeCommit(objects, {
      parent,
      changes,
      message,
      author: fields.signatures?.author ?? signature,
      committer: fields.signatures?.committer ?? signature,
    })
    this.updateRef(repository, name, oid)
    return this.commitAt(repository, oid)
  }

  /** A commit and its ancestors, newest first. With a path, only the commits that changed it. */
  history(repository: Repository, head: Oid, path?: string): Commit[] {
    const { objects } = this.of(repository)
    const all = historyOf(objects, head)
    const wanted = path ? touching(objects, all, path) : all
    return wanted.map(oid => this.commitAt(repository, oid))
  }

  /** Compares two commits. Undefined if they have no common ancestor. */
  compare(repository: Repository, base: Oid, head: Oid): Comparison | undefined {
    const commitAt = (oid: Oid) => this.commitAt(repository, oid)
    return compareCommits(this.of(repository), commitAt, base, head)
  }

  /** Merges without moving the branch. */
  tryMerge(repository: Repository, merging: Merging): MergeOutcome {
    const { by, date = this.#registry.timestamp(), into } = merging
    const git = this.of(repository)
    const base = git.refs.get(`refs/heads/${into}`)
    if (base === undefined) throw new Error(`there is no branch ${into}`)
    return mergeInto(git.objects, { ...merging, base, signature: signatureOf(by, date) })
  }

  /** Merges into a branch and moves it. Does nothing if there are conflicts. */
  merge(repository: Repository, merging: Merging): MergeOutcome {
    const outcome = this.tryMerge(repository, merging)
    if (outcome.ok && !outcome.isUpToDate) {
      this.updateRef(repository, `refs/heads/${merging.into}`, outcome.oid)
    }
    return outcome
  }

  #pushed(repository: Repository, ref: string, oid: Oid | null): void {
    this.#registry.recordWrite()
    for (const listener of this.#listeners) listener({ repository, ref, oid })
  }
}
