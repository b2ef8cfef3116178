import { requireCommentEditor, requireUnarchived } from '../store/access.ts'
import { pullRequestsIn } from '../store/items.ts'
import type { ReviewComment } from '../store/review-entities.ts'
import { visibleComments } from '../store/review-threads.ts'
import { commentsOf } from '../store/reviews.ts'
import { requiredText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  ok,
  pullOf,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { placedCommentJson, reviewCommentJson } from './json/review.ts'
import { paged } from './paging.ts'
import { reviewOf, unprocessable } from './reviews.ts'

/** The REST API has comments on a diff, but no threads. */
export const reviewCommentRoutes: RouteTable = {
  'GET /repos/:owner/:repo/pulls/comments/:id': getComment,
  'PATCH /repos/:owner/:repo/pulls/comments/:id': updateComment,
  'DELETE /repos/:owner/:repo/pulls/comments/:id': deleteComment,
  'GET /repos/:owner/:repo/pulls/:number/reviews/:id/comments': listOfReview,
  'GET /repos/:owner/:repo/pulls/:number/comments': listComments,
  'POST /repos/:owner/:repo/pulls/:number/comments/:id/replies': reply,
}

function listComments(call: RestCall): Answer {
  return paged(call, commentsIn(call), comment => reviewCommentJson(comment, call.origin))
}

function getComment(call: RestCall): Answer {
  return ok(reviewCommentJson(reviewCommentOf(call), call.origin))
}

function updateComment(call: RestCall): Answer {
  const comment = reviewCommentOf(call)
  requireCommentEditor(call.principal, comment)
  call.store.reviews.threads.edit(comment, requiredText(call.body, 'body'))
  return ok(reviewCommentJson(comment, call.origin))
}

function deleteComment(call: RestCall): Answer {
  const comment = reviewCommentOf(call)
  requireCommentEditor(call.principal, comment)
  call.store.reviews.threads.delete(comment)
  return noContent()
}

function listOfReview(call: RestCall): Answer {
  const { threads } = call.store.reviews
  return paged(call, commentsOf(reviewOf(call)), comment =>
    placedCommentJson(comment, threads.positionOf(comment.thread), call.origin),
  )
}

/** The comment in the path. */
export function reviewCommentOf(call: RestCall): ReviewComment {
  const id = numberIn(call.params.id)
  const threads = pullRequestsIn(repositoryOf(call)).flatMap(pull => pull.threads)
  const comment = threads
    .flatMap(thread => visibleComments(thread, call.viewer))
    .find(({ databaseId }) => databaseId === id)
  if (!comment) throw notFound()
  return comment
}

function reply(call: RestCall): Answer {
  const id = numberIn(call.params.id)
  const first = commentsIn(call).find(({ databaseId }) => databaseId === id)
  // GitHub accepts replies only to the first comment of a thread.
  if (!first || first.replyTo) throw notFound()
  requireUnarchived(first.repository)
  const body = requiredText(call.body, 'body')
  const fields = { author: call.viewer, body }
  const comment = unprocessable(() => call.store.reviews.reply(first.thread, fields))
  const answer = reviewCommentJson(comment, call.origin)
  return created(answer, answer.url)
}

function commentsIn(call: RestCall): ReviewComment[] {
  return pullOf(call)
    .threads.flatMap(thread => visibleComments(thread, call.viewer))
    .toSorted((a, b) => a.databaseId - b.databaseId)
}
