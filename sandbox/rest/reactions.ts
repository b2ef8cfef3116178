import type { IssueComment, Reaction } from '../store/entities.ts'
import { REACTIONS } from '../store/reactions.ts'
import {
  type Answer,
  itemOf,
  numberIn,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { reactionJson } from './json/reactions.ts'
import { paged } from './paging.ts'
import { reviewCommentOf } from './review-comments.ts'

export const reactionRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues/:number/reactions': call =>
    listReactions(call, itemOf(call).reactions),
  'GET /repos/:owner/:repo/issues/comments/:id/reactions': call =>
    listReactions(call, issueCommentOf(call).reactions),
  'GET /repos/:owner/:repo/pulls/comments/:id/reactions': call =>
    listReactions(call, reviewCommentOf(call).reactions),
}

/** Reactions, oldest first. */
function listReactions(call: RestCall, reactions: readonly Reaction[]): Answer {
  const { content } = call.query
  const wanted = reactions.filter(it => content === undefined || REACTIONS[it.content] === content)
  return paged(call, wanted, reaction => reactionJson(reaction, call.origin))
}

function issueCommentOf(call: RestCall): IssueComment {
  const id = numberIn(call.params.id)
  const items = [...repositoryOf(call).items.values()]
  const comment = items
    .flatMap(({ comments }) => comments)
    .find(({ databaseId }) => databaseId === id)
  if (!comment) throw notFound()
  return comment
}
