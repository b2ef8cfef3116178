import type * as G from '@octokit/graphql-schema'
import type { Fields } from '../fields.ts'
import { target } from './targets.ts'

export const followingMutations: Fields<unknown, G.Mutation> = {
  addStar(_root, { input }: G.MutationAddStarArgs, context) {
    const starrable = target(context, input.starrableId, 'Repository')
    context.store.following.star(context.viewer, starrable)
    return { starrable }
  },

  removeStar(_root, { input }: G.MutationRemoveStarArgs, context) {
    const starrable = target(context, input.starrableId, 'Repository')
    context.store.following.unstar(context.viewer, starrable)
    return { starrable }
  },

  updateSubscription(_root, { input }: G.MutationUpdateSubscriptionArgs, context) {
    const subscribable = target(context, input.subscribableId, 'Repository')
    const { following } = context.store
    if (input.state === 'UNSUBSCRIBED') following.unwatch(context.viewer, subscribable)
    else following.watch(context.viewer, subscribable, input.state === 'IGNORED')
    return { subscribable }
  },
}
