import { mergeBase, missingFrom } from './history.ts'
import { mergeTrees } from './merge.ts'
import type { CommitData, ObjectDatabase, Oid, Signature } from './objects.ts'

export type MergeMethod = 'merge' | 'squash' | 'rebase'

export type MergeOutcome =
  /** `oid` is the branch's new tip. `isUpToDate` means that no commit was needed. */
  | { readonly ok: true; readonly oid: Oid; readonly isUpToDate: boolean }
  | { readonly ok: false; readonly conflicts: readonly string[] }

export interface MergeRequest {
  readonly base: Oid
  readonly head: Oid
  readonly method?: MergeMethod
  readonly message: string
  readonly signature: Signature
}

/** Creates the commits that bring `head` into `base`. */
export function mergeInto(objects: ObjectDatabase, request: MergeRequest): MergeOutcome {
  const { base, head, method = 'merge' } = request
  const common = mergeBase(objects, base, head)
  if (common === head) return { ok: true, oid: base, isUpToDate: true }
  if (method === 'rebase') return rebase(objects, request)
  const tree = (oid: Oid) => objects.commit(oid).tree
  const merged = mergeTrees(objects, common && tree(common), tree(base), tree(head))
  if (!merged.ok) return merged
  const oid = addCommit(objects, {
    tree: merged.tree,
    parents: method === 'squash' ? [base] : [base, head],
    author: request.signature,
    committer: request.signature,
    message: request.message,
  })
  return { ok: true, oid, isUpToDate: false }
}

/** Applies each commit with its own author and message. Merge commits are skipped. */
function rebase(objects: ObjectDatabase, { base, head, signature }: MergeRequest): MergeOutcome {
  let tip = base
  for (const oid of missingFrom(objects, base, head).toReversed()) {
    const commit = objects.commit(oid)
    const [parent, second] = commit.parents
    if (parent === undefined || second !== undefined) continue
    const picked = mergeTrees(
      objects,
      objects.commit(parent).tree,
      objects.commit(tip).tree,
      commit.tree,
    )
    if (!picked.ok) return picked
    tip = addCommit(objects, {
      ...commit,
      tree: picked.tree,
      parents: [tip],
      committer: signature,
    })
  }
  return { ok: true, oid: tip, isUpToDate: false }
}

function addCommit(objects: ObjectDatabase, data: CommitData): Oid {
  return objects.add({ type: 'commit', data })
}
