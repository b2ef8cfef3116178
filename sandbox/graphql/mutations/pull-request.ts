import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { requireEditor } from '../../store/access.ts'
import type { Fields } from '../fields.ts'
import { namedBy, target } from './targets.ts'

export const pullRequestMutations: Fields<unknown, G.Mutation> = {
  updatePullRequest(_root, { input }: G.MutationUpdatePullRequestArgs, context) {
    const pullRequest = target(context, input.pullRequestId, 'PullRequest')
    requireEditor(context.principal, pullRequest)
    context.store.issues.update(pullRequest, {
      ...(isGiven(input.title) && { title: input.title }),
      ...(isGiven(input.body) && { body: input.body }),
      ...namedBy(context, input),
    })
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
