import type * as G from '@octokit/graphql-schema'
import { requireCommentEditor, requireUnarchived } from '../../store/access.ts'
import type { ReviewComment } from '../../store/review-entities.ts'
import type { Context, Fields } from '../fields.ts'
import { ownPending } from './review.ts'
import { target } from './targets.ts'

export const reviewCommentMutations: Fields<unknown, G.Mutation> = {
  addPullRequestReviewThread(_root, { input }: G.MutationAddPullRequestReviewThreadArgs, context) {
    const review = ownPending(context, input)
    requireUnarchived(review.repository)
    const isOnLine = input.subjectType !== 'FILE'
    const fields = {
      path: input.path,
      body: input.body,
      line: isOnLine ? (input.line ?? 0) : null,
      side: input.side ?? 'RIGHT',
      startLine: input.startLine ?? null,
      startSide: input.startSide ?? null,
    }
    const { threads } = context.store.reviews
    threads.check(review.pullRequest, fields)
    const thread = threads.add(review, fields)
    return { thread }
  },

  updatePullRequestReviewComment(
    _root,
    { input }: G.MutationUpdatePullRequestReviewCommentArgs,
    context,
  ) {
    const comment = editableComment(context, input.pullRequestReviewCommentId)
    context.store.reviews.threads.edit(comment, input.body)
    return { pullRequestReviewComment: comment }
  },

  deletePullRequestReviewComment(
    _root,
    { input }: G.MutationDeletePullRequestReviewCommentArgs,
    context,
  ) {
    const comment = editableComment(context, input.id)
    context.store.reviews.threads.delete(comment)
    return { pullRequestReview: comment.review, pullRequestReviewComment: comment }
  },
}

function editableComment(context: Context, id: string): ReviewComment {
  const comment = target(context, id, 'PullRequestReviewComment')
  requireCommentEditor(context.principal, comment)
  return comment
}
