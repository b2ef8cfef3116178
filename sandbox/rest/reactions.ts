import { requireUnarchived } from '../store/access.ts'
import type { Reaction, ReactionContent } from '../store/entities.ts'
import { REACTION_CONTENTS, REACTIONS, repositoryOf } from '../store/reactions.ts'
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
} from './call.ts'
import { commentOf } from './comments.ts'
import { invalidRequest, notFound } from './errors.ts'
import { reactionJson } from './json/reactions.ts'
import { paged } from './paging.ts'
import { reviewCommentOf } from './review-comments.ts'

type Subject = Reaction['subject']
type Find = (call: RestCall) => Subject

export const reactionRoutes: RouteTable = {
  ...reactionsTo('issues/:number', itemOf),
  ...reactionsTo('issues/comments/:id', commentOf),
  ...reactionsTo('pulls/comments/:id', reviewCommentOf),
}

function reactionsTo(place: string, find: Find): RouteTable {
  const path = `/repos/:owner/:repo/${place}/reactions` as const
  return {
    [`GET ${path}`]: (call: RestCall) => listReactions(call, find(call).reactions),
    [`POST ${path}`]: (call: RestCall) => addReaction(call, find(call)),
    [`DELETE ${path}/:reaction`]: (call: RestCall) => deleteReaction(call, find(call)),
  }
}

/** Reactions, oldest first. */
function listReactions(call: RestCall, reactions: readonly Reaction[]): Answer {
  const { content } = call.query
  const wanted = reactions.filter(it => content === undefined || REACTIONS[it.content] === content)
  return paged(call, wanted, reaction => reactionJson(reaction, call.origin))
}

/** Answers 200 if the caller has reacted like this before. */
function addReaction(call: RestCall, subject: Subject): Answer {
  requireUnarchived(repositoryOf(subject))
  const content = contentIn(call)
  const isKnown = subject.reactions.some(it => it.user === call.viewer && it.content === content)
  const reaction = call.store.reactions.add(subject, call.viewer, content)
  const answer = reactionJson(reaction, call.origin)
  return isKnown ? ok(answer) : created(answer)
}

function contentIn({ body }: RestCall): ReactionContent {
  const wanted = requiredText(body, 'content')
  const content = REACTION_CONTENTS.find(it => REACTIONS[it] === wanted)
  if (content) return content
  const known = REACTION_CONTENTS.map(it => `"${REACTIONS[it]}"`).join(', ')
  throw invalidRequest(`For 'properties/content', "${wanted}" is not a member of [${known}].`)
}

function deleteReaction(call: RestCall, subject: Subject): Answer {
  const id = numberIn(call.params.reaction)
  const reaction = subject.reactions.find(({ databaseId }) => databaseId === id)
  if (!reaction || reaction.user !== call.viewer) throw notFound()
  requireUnarchived(repositoryOf(subject))
  call.store.reactions.delete(reaction)
  return noContent()
}
