import type * as G from '@octokit/graphql-schema'
import { requireWrite } from '../../store/access.ts'
import type { MergeMethod } from '../../store/git/merge-commits.ts'
import type { Fields } from '../fields.ts'
import { entryOf } from '../merging.ts'
import { target, writable } from './targets.ts'

export const mergingMutations: Fields<unknown, G.Mutation> = {
  mergePullRequest(_root, { input }: G.MutationMergePullRequestArgs, context) {
    const pullRequest = writable(context, input.pullRequestId, 'PullRequest')
    const expected = input.expectedHeadOid ?? undefined
    const how = {
      method: methodOf(input),
      subject: input.commitHeadline ?? undefined,
      body: input.commitBody ?? undefined,
    }
    context.store.merging.merge(pullRequest, context.principal, how, expected)
    return { pullRequest, actor: context.viewer }
  },

  enqueuePullRequest(_root, { input }: G.MutationEnqueuePullRequestArgs, context) {
    const pullRequest = writable(context, input.pullRequestId, 'PullRequest')
    context.store.merging.enqueue(
      pullRequest,
      context.principal,
      input.expectedHeadOid ?? undefined,
    )
    return {
      mergeQueueEntry: entryOf(pullRequest),
    }
  },

  enablePullRequestAutoMerge(_root, { input }: G.MutationEnablePullRequestAutoMergeArgs, context) {
    const pullRequest = writable(context, input.pullRequestId, 'PullRequest')
    const expected = input.expectedHeadOid ?? undefined
    context.store.merging.enableAutoMerge(pullRequest, context.principal, methodOf(input), expected)
    return { pullRequest, actor: context.viewer }
  },

  disablePullRequestAutoMerge(
    _root,
    { input }: G.MutationDisablePullRequestAutoMergeArgs,
    context,
  ) {
    const pullRequest = writable(context, input.pullRequestId, 'PullRequest')
    context.store.merging.disableAutoMerge(pullRequest)
    return { pullRequest, actor: context.viewer }
  },

  updatePullRequestBranch(_root, { input }: G.MutationUpdatePullRequestBranchArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireWrite(context.principal, pullRequest.head.repository)
    const expected = input.expectedHeadOid ?? undefined
    context.store.merging.updateBranch(pullRequest, context.viewer, expected)
    return { pullRequest }
  },
}

function methodOf({ mergeMethod }: { mergeMethod?: G.PullRequestMergeMethod | null }): MergeMethod {
  return (mergeMethod ?? 'MERGE').toLowerCase() as MergeMethod
}
