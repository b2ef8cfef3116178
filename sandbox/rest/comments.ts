import { requireCommentEditor, requireUnarchived } from '../store/access.ts'
import type { IssueComment } from '../store/entities.ts'
import { itemsIn } from '../store/items.ts'
import { requiredText } from './body.ts'
import {
  type Answer,
  created,
  itemOf,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { commentJson } from './json/issue.ts'
import { paged } from './paging.ts'

export const commentRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues/:number/comments': listComments,
  'POST /repos/:owner/:repo/issues/:number/comments': createComment,
  'GET /repos/:owner/:repo/issues/comments/:id': call =>
    ok(commentJson(commentOf(call), call.origin)),
  'PATCH /repos/:owner/:repo/issues/comments/:id': updateComment,
  'DELETE /repos/:owner/:repo/issues/comments/:id': deleteComment,
}

/** Oldest first. */
function listComments(call: RestCall): Answer {
  const { comments } = itemOf(call)
  const { since } = call.query
  const wanted = since
    ? comments.filter(comment => Date.parse(comment.updatedAt) >= Date.parse(since))
    : comments
  return paged(call, wanted, comment => commentJson(comment, call.origin))
}

function createComment(call: RestCall): Answer {
  const subject = itemOf(call)
  requireUnarchived(subject.repository)
  const body = requiredText(call.body, 'body')
  const comment = call.store.comments.add(subject, { author: call.viewer, body })
  const answer = commentJson(comment, call.origin)
  return created(answer, answer.url)
}

/** The comment in the path. */
export function commentOf(call: RestCall): IssueComment {
  const id = numberIn(call.params.id)
  const comments = itemsIn(repositoryOf(call)).flatMap(item => item.comments)
  const comment = comments.find(({ databaseId }) => databaseId === id)
  if (!comment) throw notFound()
  return comment
}

function updateComment(call: RestCall): Answer {
  const comment = commentOf(call)
  requireCommentEditor(call.principal, comment)
  call.store.comments.update(comment, requiredText(call.body, 'body'))
  return ok(commentJson(comment, call.origin))
}

function deleteComment(call: RestCall): Answer {
  const comment = commentOf(call)
  requireCommentEditor(call.principal, comment)
  call.store.comments.delete(comment)
  return noContent()
}
