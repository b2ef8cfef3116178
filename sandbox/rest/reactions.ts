import type { Reaction } from '../store/entities.ts'
import { REACTIONS } from '../store/reactions.ts'
import { type Answer, itemOf, type RestCall, type RouteTable } from './call.ts'
import { commentOf } from './comments.ts'
import { reactionJson } from './json/reactions.ts'
import { paged } from './paging.ts'
import { reviewCommentOf } from './review-comments.ts'

export const reactionRoutes: RouteTable = {
  'GET /repos/:owner/:repo/issues/:number/reactions': call =>
    listReactions(call, itemOf(call).reactions),
  'GET /repos/:owner/:repo/issues/comments/:id/reactions': call =>
    listReactions(call, commentOf(call).reactions),
  'GET /repos/:owner/:repo/pulls/comments/:id/reactions': call =>
    listReactions(call, reviewCommentOf(call).reactions),
}

/** Reactions, oldest first. */
function listReactions(call: RestCall, reactions: readonly Reaction[]): Answer {
  const { content } = call.query
  const wanted = reactions.filter(it => content === undefined || REACTIONS[it.content] === content)
  return paged(call, wanted, reaction => reactionJson(reaction, call.origin))
}
