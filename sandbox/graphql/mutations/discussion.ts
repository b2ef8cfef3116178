import type * as G from '@octokit/graphql-schema'
import { requireTriage, requireUnarchived } from '../../store/access.ts'
import type { DiscussionComment } from '../../store/discussion-entities.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

export const discussionMutations: Fields<unknown, G.Mutation> = {
  createDiscussion(_root, { input }: G.MutationCreateDiscussionArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    const category = target(context, input.categoryId, 'DiscussionCategory')
    requireUnarchived(repository)
    const { title, body } = input
    const fields = { category, author: context.viewer, title, body }
    const discussion = context.store.discussions.add(fields)
    return { discussion }
  },

  addDiscussionComment(_root, { input }: G.MutationAddDiscussionCommentArgs, context) {
    const discussion = target(context, input.discussionId, 'Discussion')
    requireUnarchived(discussion.repository)
    const replyTo = input.replyToId ? target(context, input.replyToId, 'DiscussionComment') : null
    const fields = { author: context.viewer, body: input.body, replyTo }
    const comment = context.store.discussions.comment(discussion, fields)
    return { comment }
  },

  markDiscussionCommentAsAnswer(
    _root,
    { input }: G.MutationMarkDiscussionCommentAsAnswerArgs,
    context,
  ) {
    const comment = answerable(context, input.id)
    const { discussion } = comment
    context.store.discussions.answer(discussion, comment, context.viewer)
    return { discussion }
  },

  unmarkDiscussionCommentAsAnswer(
    _root,
    { input }: G.MutationUnmarkDiscussionCommentAsAnswerArgs,
    context,
  ) {
    const { discussion } = answerable(context, input.id)
    context.store.discussions.answer(discussion, null, context.viewer)
    return { discussion }
  },
}

/** The author of the discussion, and users who may triage, choose the answer. */
function answerable(context: Context, id: string): DiscussionComment {
  const comment = target(context, id, 'DiscussionComment')
  const { discussion, repository } = comment
  requireUnarchived(repository)
  if (discussion.author !== context.viewer) requireTriage(context.principal, repository)
  return comment
}
