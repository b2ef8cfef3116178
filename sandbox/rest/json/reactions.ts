import type { Reaction } from '../../store/entities.ts'
import { REACTION_CONTENTS, REACTIONS } from '../../store/reactions.ts'
import { accountJson } from './account.ts'

/** The counts of reactions, inside the subject. */
export function reactionsJson(subjectUrl: string, reactions: readonly Reaction[]) {
  const counts = REACTION_CONTENTS.map(content => {
    const count = reactions.filter(reaction => reaction.content === content).length
    return [REACTIONS[content], count] as const
  })
  return {
    url: `${subjectUrl}/reactions`,
    total_count: reactions.length,
    ...(Object.fromEntries(counts) as Record<(typeof REACTIONS)[Reaction['content']], number>),
  }
}

export function reactionJson(
  { databaseId, nodeId, user, content, createdAt }: Reaction,
  origin: string,
) {
  return {
    id: databaseId,
    node_id: nodeId,
    user: accountJson(user, origin),
    content: REACTIONS[content],
    created_at: createdAt,
  }
}
