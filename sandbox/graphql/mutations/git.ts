import type * as G from '@octokit/graphql-schema'
import { canSee, requireWrite } from '../../store/access.ts'
import type { Repository } from '../../store/entities.ts'
import { missingFrom } from '../../store/git/history.ts'
import type { Ref } from '../../store/git/nodes.ts'
import { githubError, notFound } from '../errors.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

export const gitMutations: Fields<unknown, G.Mutation> = {
  createRef(_root, { input }: G.MutationCreateRefArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireWrite(context.principal, repository)
    requireObject(context, repository, input.oid)
    const { git } = context.store
    if (git.ref(repository, input.name)) {
      throw githubError(
        'UNPROCESSABLE',
        `A ref named "${input.name}" already exists in the repository.`,
      )
    }
    const ref = git.createRef(repository, input.name, input.oid)
    return { clientMutationId: input.clientMutationId, ref }
  },

  updateRef(_root, { input }: G.MutationUpdateRefArgs, context) {
    const ref = target(context, input.refId, 'Ref')
    requireWrite(context.principal, ref.repository)
    requireObject(context, ref.repository, input.oid)
    const { git } = context.store
    const lost = missingFrom(git.of(ref.repository).objects, input.oid, ref.oid)
    if (!input.force && lost.length > 0) {
      throw githubError('UNPROCESSABLE', 'Update is not a fast forward')
    }
    const moved = git.updateRef(ref.repository, ref.name, input.oid)
    return { clientMutationId: input.clientMutationId, ref: moved }
  },

  deleteRef(_root, { input }: G.MutationDeleteRefArgs, context) {
    const ref = target(context, input.refId, 'Ref')
    requireWrite(context.principal, ref.repository)
    if (ref.name === `refs/heads/${ref.repository.defaultBranch}`) {
      throw githubError('UNPROCESSABLE', 'Cannot delete the default branch')
    }
    context.store.git.deleteRef(ref.repository, ref.name)
    return { clientMutationId: input.clientMutationId }
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
    return { clientMutationId: input.clientMutationId, commit, ref: moved }
  },
}

/** A branch by its id, or by the names of repository and branch. */
function branchIn(context: Context, branch: G.CommittableBranch): Ref {
  if (branch.id) return target(context, branch.id, 'Ref')
  const { repositoryNameWithOwner = '', branchName } = branch
  const [owner = '', name = ''] = repositoryNameWithOwner?.split('/') ?? []
  const repository = context.store.repositories.find(owner, name)
  if (!repository || !canSee(context.principal, repository))
    throw notFound(`a Repository with the name '${repositoryNameWithOwner}'`)
  const ref = context.store.git.branch(repository, branchName ?? '')
  if (!ref) throw notFound(`a Ref with the name '${branchName}'`)
  return ref
}

export function requireObject({ store }: Context, repository: Repository, oid: string): void {
  if (!store.git.of(repository).objects.get(oid)) {
    throw githubError('UNPROCESSABLE', 'Object does not exist')
  }
}
