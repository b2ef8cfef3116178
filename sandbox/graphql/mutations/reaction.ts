import type * as G from '@octokit/graphql-schema'
import { requireUnarchived } from '../../store/access.ts'
import { repositoryOf } from '../../store/reactions.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

export const reactionMutations: Fields<unknown, G.Mutation> = {
  addReaction(_root, { input }: G.MutationAddReactionArgs, context) {
    const subject = reactable(context, input.subjectId)
    const reaction = context.store.reactions.add(subject, context.viewer, input.content)
    return { reaction, subject }
  },

  removeReaction(_root, { input }: G.MutationRemoveReactionArgs, context) {
    const subject = reactable(context, input.subjectId)
    const reaction = subject.reactions.find(
      it => it.user === context.viewer && it.content === input.content,
    )
    if (reaction) context.store.reactions.delete(reaction)
    return { reaction: reaction ?? null, subject }
  },
}

function reactable(context: Context, id: string) {
  const kinds = ['Issue', 'PullRequest', 'IssueComment', 'PullRequestReviewComment'] as const
  const subject = target(context, id, ...kinds)
  requireUnarchived(repositoryOf(subject))
  return subject
}
