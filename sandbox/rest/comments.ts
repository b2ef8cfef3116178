import { requireUnarchived } from '../store/access.ts'
import { requiredText } from './body.ts'
import { type Answer, created, itemOf, type RestCall, type RouteTable } from './call.ts'
import { commentJson } from './json/issue.ts'
import { paged } from './paging.ts'

export const commentRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues/:number/comments': listComments,
  'POST /repos/:owner/:repo/issues/:number/comments': createComment,
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
