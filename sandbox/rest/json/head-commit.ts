import type { Repository } from '../../store/entities.ts'
import type { Signature } from '../../store/git/objects.ts'
import { toTimestamp } from '../../store/registry.ts'
import type { Store } from '../../store/store.ts'

/** A commit inside a workflow run or check suite. Null if it no longer exists. */
export function headCommitJson({ git }: Store, repository: Repository, sha: string) {
  const commit = git.commitOf(repository, sha)
  if (!commit) return null
  const person = ({ name, email }: Signature) => ({ name, email })
  return {
    id: commit.oid,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: toTimestamp(commit.author.seconds * 1000),
    author: person(commit.author),
    committer: person(commit.committer),
  }
}
