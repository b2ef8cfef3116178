import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { openPullRequest } from '../../store/open-pull-request.ts'
import type { Fields } from '../fields.ts'
import { editable, named, setState, target, updateItem } from './targets.ts'

export const pullRequestMutations: Fields<unknown, G.Mutation> = {
  createPullRequest(_root, { input }: G.MutationCreatePullRequestArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    const pullRequest = openPullRequest(context.store, context.principal, repository, {
      title: input.title,
      body: input.body ?? null,
      head: input.headRefName,
      headRepository: input.headRepositoryId
        ? named(context, input.headRepositoryId, 'Repository')
        : undefined,
      base: input.baseRefName,
      isDraft: input.draft ?? false,
    })
    return { pullRequest }
  },

  convertPullRequestToDraft(_root, { input }: G.MutationConvertPullRequestToDraftArgs, context) {
    const pullRequest = editable(context, input.pullRequestId, 'PullRequest')
    context.store.merging.setDraft(pullRequest, true)
    return { pullRequest }
  },

  markPullRequestReadyForReview(
    _root,
    { input }: G.MutationMarkPullRequestReadyForReviewArgs,
    context,
  ) {
    const pullRequest = editable(context, input.pullRequestId, 'PullRequest')
    context.store.merging.setDraft(pullRequest, false)
    return { pullRequest }
  },

  updatePullRequest(_root, { input }: G.MutationUpdatePullRequestArgs, context) {
    const pullRequest = editable(context, input.pullRequestId, 'PullRequest')
    updateItem(context, pullRequest, input)
    if (isGiven(input.baseRefName) && input.baseRefName !== pullRequest.base.name) {
      context.store.pullRequests.retarget(pullRequest, input.baseRefName)
    }
    setState(context, pullRequest, input.state)
    return { pullRequest, actor: context.viewer }
  },

  closePullRequest(_root, { input }: G.MutationClosePullRequestArgs, context) {
    const pullRequest = editable(context, input.pullRequestId, 'PullRequest')
    context.store.issues.close(pullRequest, context.viewer)
    return { pullRequest }
  },

  reopenPullRequest(_root, { input }: G.MutationReopenPullRequestArgs, context) {
    const pullRequest = editable(context, input.pullRequestId, 'PullRequest')
    context.store.issues.reopen(pullRequest)
    return { pullRequest }
  },
}
