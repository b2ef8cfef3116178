import type { FileChange } from './diff.ts'
import { mergeBase, missingFrom } from './history.ts'
import type { Commit } from './nodes.ts'
import type { Oid } from './objects.ts'
import type { GitRepository } from './repository.ts'

export interface Comparison {
  readonly base: Commit
  readonly head: Commit
  readonly mergeBase: Commit
  readonly status: 'identical' | 'ahead' | 'behind' | 'diverged'
  readonly aheadBy: number
  readonly behindBy: number
  /** Oldest first. */
  readonly commits: readonly Commit[]
  /** Changed since the merge base. */
  readonly files: readonly FileChange[]
}

/** Undefined if the two commits have no common ancestor. */
export function compareCommits(
  git: GitRepository,
  commitAt: (oid: Oid) => Commit,
  base: Oid,
  head: Oid,
): Comparison | undefined {
  const common = mergeBase(git.objects, base, head)
  if (common === undefined) return undefined
  const ahead = missingFrom(git.objects, base, head)
  const behindBy = missingFrom(git.objects, head, base).length
  return {
    base: commitAt(base),
    head: commitAt(head),
    mergeBase: commitAt(common),
    status: statusOf(ahead.length, behindBy),
    aheadBy: ahead.length,
    behindBy,
    commits: ahead.toReversed().map(commitAt),
    files: git.changes(common, head),
  }
}

function statusOf(ahead: number, behind: number): Comparison['status'] {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}
