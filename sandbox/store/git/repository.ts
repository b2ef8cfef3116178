import type { Repository } from '../entities.ts'
import { diffTrees, type FileChange } from './diff.ts'
import { mergeBase } from './history.ts'
import type { ObjectDatabase, Oid } from './objects.ts'
import { entryAt } from './trees.ts'

/** The git data of one repository: its refs, and the objects that it shares with its forks. */
export class GitRepository {
  readonly objects: ObjectDatabase
  /** Full name → object. */
  readonly refs = new Map<string, Oid>()
  readonly #repository: Repository
  readonly #diffs = new Map<string, readonly FileChange[]>()

  constructor(repository: Repository, objects: ObjectDatabase) {
    this.#repository = repository
    this.objects = objects
  }

  /** The tip of the default branch, or undefined while the repository is empty. */
  get head(): Oid | undefined {
    return this.refs.get(`refs/heads/${this.#repository.defaultBranch}`)
  }

  /** Resolves a revision: `main`, `tags/v1`, `1a2b3c4`, `HEAD~2`, `main:src/index.ts`. */
  resolve(revision: string): Oid | undefined {
    const colon = revision.indexOf(':')
    if (colon === -1) return this.#resolveCommitish(revision)
    const commit = this.commitOf(revision.slice(0, colon) || 'HEAD')
    const path = revision.slice(colon + 1)
    return commit && entryAt(this.objects, this.objects.commit(commit).tree, path)?.oid
  }

  /** Resolves a revision to a commit. Follows annotated tags. */
  commitOf(revision: string): Oid | undefined {
    const oid = this.resolve(revision)
    return oid === undefined ? undefined : this.peel(oid)
  }

  /** Follows tags to the commit. */
  peel(oid: Oid): Oid | undefined {
    const object = this.objects.get(oid)
    if (object?.type === 'tag') return this.peel(object.data.object)
    return object?.type === 'commit' ? oid : undefined
  }

  /** The tree of a revision, which may name a tree or a commit. */
  treeOf(revision: string): Oid | undefined {
    const oid = this.resolve(revision)
    if (oid !== undefined && this.objects.get(oid)?.type === 'tree') return oid
    const commit = oid === undefined ? undefined : this.peel(oid)
    return commit && this.objects.commit(commit).tree
  }

  /** The changes between two commits. The result is cached: commits do not change. */
  changes(before: Oid | undefined, after: Oid): readonly FileChange[] {
    const key = `${before ?? ''}..${after}`
    const known = this.#diffs.get(key)
    if (known) return known
    const tree = (oid: Oid) => this.objects.commit(oid).tree
    const changes = diffTrees(this.objects, before && tree(before), tree(after))
    this.#diffs.set(key, changes)
    return changes
  }

  /** The changes from the merge base to `head`: the files of a pull request. */
  changesSinceFork(base: Oid, head: Oid): readonly FileChange[] {
    return this.changes(mergeBase(this.objects, base, head), head)
  }

  #resolveCommitish(revision: string): Oid | undefined {
    const suffix = /^(.+?)((?:[~^]\d*)+)$/.exec(revision)
    if (!suffix) return this.#resolveName(revision)
    let oid = this.commitOf(suffix[1] as string)
    for (const [, sign, count] of (suffix[2] as string).matchAll(/([~^])(\d*)/g)) {
      oid = oid && this.#ancestor(oid, sign as '~' | '^', count ? Number(count) : 1)
    }
    return oid
  }

  #ancestor(oid: Oid, sign: '~' | '^', count: number): Oid | undefined {
    if (count === 0) return oid
    if (sign === '^') return this.objects.commit(oid).parents[count - 1]
    const parent = this.objects.commit(oid).parents[0]
    return parent && this.#ancestor(parent, '~', count - 1)
  }

  #resolveName(name: string): Oid | undefined {
    if (name === 'HEAD') return this.head
    for (const prefix of ['', 'refs/', 'refs/heads/', 'refs/tags/']) {
      const oid = this.refs.get(prefix + name)
      if (oid !== undefined) return oid
    }
    if (/^[0-9a-f]{40}$/.test(name)) return this.objects.get(name) && name
    return /^[0-9a-f]{4,39}$/.test(name) ? this.objects.findByPrefix(name) : undefined
  }
}
