import { requireUnarchived } from '../store/access.ts'
import { pullRequestsIn } from '../store/items.ts'
import type { ReviewComment } from '../store/review-entities.ts'
import { visibleComments } from '../store/review-threads.ts'
import { requiredText } from './body.ts'
import {
  type Answer,
  created,
  numberIn,
  ok,
  pullOf,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { reviewCommentJson } from './json/review.ts'
import { paged } from './paging.ts'
import { unprocessable } from './reviews.ts'

/** The REST API has comments on a diff, but no threads. */
export const reviewCommentRoutes: RouteTable = {
  'GET /repos/:owner/:repo/pulls/comments/:id': getComment,
  'GET /repos/:owner/:repo/pulls/:number/comments': listComments,
  'POST /repos/:owner/:repo/pulls/:number/comments/:id/replies': reply,
}

function listComments(call: RestCall): Answer {
  return paged(call, commentsOf(call), comment => reviewCommentJson(comment, call.origin))
}

function getComment(call: RestCall): Answer {
  return ok(reviewCommentJson(reviewCommentOf(call), call.origin))
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
  const first = commentsOf(call).find(({ databaseId }) => databaseId === id)
  // GitHub accepts replies only to the first comment of a thread.
  if (!first || first.replyTo) throw notFound()
  requireUnarchived(first.repository)
  const body = requiredText(call.body, 'body')
  const fields = { author: call.viewer, body }
  const comment = unprocessable(() => call.store.reviews.reply(first.thread, fields))
  const answer = reviewCommentJson(comment, call.origin)
  return created(answer, answer.url)
}

function commentsOf(call: RestCall): ReviewComment[] {
  return pullOf(call)
    .threads.flatMap(thread => visibleComments(thread, call.viewer))
    .toSorted((a, b) => a.databaseId - b.databaseId)
}
