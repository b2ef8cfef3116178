import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { requireEditor } from '../../store/access.ts'
import { openPullRequest } from '../../store/open-pull-request.ts'
import type { Fields } from '../fields.ts'
import { namedBy, target } from './targets.ts'

export const pullRequestMutations: Fields<unknown, G.Mutation> = {
  createPullRequest(_root, { input }: G.MutationCreatePullRequestArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    const pullRequest = openPullRequest(context.store, context.principal, repository, {
      title: input.title,
      body: input.body ?? null,
      head: input.headRefName,
      base: input.baseRefName,
      isDraft: input.draft ?? false,
    })
    return { clientMutationId: input.clientMutationId, pullRequest }
  },

  convertPullRequestToDraft(_root, { input }: G.MutationConvertPullRequestToDraftArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.merging.setDraft(pullRequest, true)
    return { clientMutationId: input.clientMutationId, pullRequest }
  },

  markPullRequestReadyForReview(
    _root,
    { input }: G.MutationMarkPullRequestReadyForReviewArgs,
    context,
  ) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.merging.setDraft(pullRequest, false)
    return { clientMutationId: input.clientMutationId, pullRequest }
  },

  updatePullRequest(_root, { input }: G.MutationUpdatePullRequestArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.issues.update(pullRequest, {
      ...(isGiven(input.title) && { title: input.title }),
      ...(isGiven(input.body) && { body: input.body }),
      ...namedBy(context, input),
    })
    if (isGiven(input.baseRefName) && input.baseRefName !== pullRequest.base.name) {
      context.store.pullRequests.retarget(pullRequest, input.baseRefName)
    }
    if (input.state === 'CLOSED') context.store.issues.close(pullRequest, context.viewer)
    if (input.state === 'OPEN') context.store.issues.reopen(pullRequest)
    return { clientMutationId: input.clientMutationId, pullRequest, actor: context.viewer }
  },

  closePullRequest(_root, { input }: G.MutationClosePullRequestArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.issues.close(pullRequest, context.viewer)
    return { clientMutationId: input.clientMutationId, pullRequest }
  },

  reopenPullRequest(_root, { input }: G.MutationReopenPullRequestArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.issues.reopen(pullRequest)
    return { clientMutationId: input.clientMutationId, pullRequest }
  },
}
