import type * as G from '@octokit/graphql-schema'
import { requireWrite } from '../../store/access.ts'
import type { Ref } from '../../store/git/nodes.ts'
import { requireDeletable, requireFastForward, requireObject } from '../../store/git/ref-rules.ts'
import { githubError, notFound } from '../errors.ts'
import type { Context, Fields } from '../fields.ts'
import { repositoryNamed } from '../query.ts'
import { target } from './targets.ts'

export const gitMutations: Fields<unknown, G.Mutation> = {
  createRef(_root, { input }: G.MutationCreateRefArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireWrite(context.principal, repository)
    const { git } = context.store
    requireObject(git.of(repository), input.oid)
    if (git.ref(repository, input.name)) {
      throw githubError(
        'UNPROCESSABLE',
        `A ref named "${input.name}" already exists in the repository.`,
      )
    }
    const ref = git.createRef(repository, input.name, input.oid)
    return { ref }
  },

  updateRef(_root, { input }: G.MutationUpdateRefArgs, context) {
    const ref = target(context, input.refId, 'Ref')
    requireWrite(context.principal, ref.repository)
    const { git } = context.store
    requireObject(git.of(ref.repository), input.oid)
    if (!input.force) requireFastForward(git.of(ref.repository), ref, input.oid)
    const moved = git.updateRef(ref.repository, ref.name, input.oid)
    return { ref: moved }
  },

  deleteRef(_root, { input }: G.MutationDeleteRefArgs, context) {
    const ref = target(context, input.refId, 'Ref')
    requireWrite(context.principal, ref.repository)
    requireDeletable(ref)
    context.store.git.deleteRef(ref.repository, ref.name)
    return {}
  },

  createCommitOnBranch(_root, { input }: G.MutationCreateCommitOnBranchArgs, context) {
    const ref = branchIn(context, input.branch)
    requireWrite(context.principal, ref.repository)
    if (ref.oid !== input.expectedHeadOid) {
      throw githubError(
        'STALE_DATA',
        `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`,
      )
    }
    const { headline, body } = input.message
    const { additions, deletions } = input.fileChanges ?? {}
    const { git } = context.store
    const name = ref.name.replace('refs/heads/', '')
    for (const { path } of deletions ?? []) {
      if (git.object(ref.repository, `${ref.oid}:${path}`)) continue
      throw githubError(
        'UNPROCESSABLE',
        `A path was requested for deletion which does not exist as of commit oid ${ref.oid}`,
      )
    }
    const commit = git.commit(ref.repository, {
      author: context.viewer,
      branch: name,
      message: body ? `${headline}\n\n${body}` : headline,
      changes: {
        ...Object.fromEntries((deletions ?? []).map(({ path }) => [path, null])),
        ...Object.fromEntries(
          (additions ?? []).map(({ path, contents }) => [path, Buffer.from(contents, 'base64')]),
        ),
      },
    })
    const moved = git.branch(ref.repository, name)
    return { commit, ref: moved }
  },
}

/** A branch by its id, or by the names of repository and branch. */
function branchIn(context: Context, branch: G.CommittableBranch): Ref {
  if (branch.id) return target(context, branch.id, 'Ref')
  const [owner = '', name = ''] = branch.repositoryNameWithOwner?.split('/') ?? []
  const repository = repositoryNamed(context, owner, name)
  const ref = context.store.git.branch(repository, branch.branchName ?? '')
  if (!ref) throw notFound(`a Ref with the name '${branch.branchName}'`)
  return ref
}
