import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import type { Reaction, ReactionContent } from '../store/entities.ts'
import { REACTION_CONTENTS } from '../store/reactions.ts'
import { connection } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'

type Reactable = Reaction['subject']
type ReactableFields = Fields<
  Reactable,
  G.Issue & G.PullRequest & G.IssueComment & G.PullRequestReviewComment
>

/** A subject's reactions of one kind. */
interface ReactionGroup {
  readonly content: ReactionContent
  readonly subject: Reactable
}

/** The fields of everything that can have reactions. */
export const reactableFields = {
  reactionGroups: (subject): ReactionGroup[] =>
    REACTION_CONTENTS.map(content => ({ content, subject })),
  reactions: ({ reactions }, args: G.IssueReactionsArgs, { viewer }, info) => {
    const { content, orderBy } = args
    const found = reactions.filter(it => !isGiven(content) || it.content === content)
    const listed = orderBy?.direction === 'DESC' ? found.toReversed() : found
    const viewerHasReacted = found.some(({ user }) => user === viewer)
    return { ...connection(listed, args, info), viewerHasReacted }
  },
} satisfies ReactableFields

export const reactionGroupFields: Fields<ReactionGroup, G.ReactionGroup> = {
  content: group => group.content,
  createdAt: group => reactionsOf(group)[0]?.createdAt ?? null,
  subject: group => group.subject,
  viewerHasReacted: (group, _args, { viewer }) =>
    reactionsOf(group).some(({ user }) => user === viewer),
  reactors: listReactors,
  users: listReactors,
}

function reactionsOf({ subject, content }: ReactionGroup): Reaction[] {
  return subject.reactions.filter(reaction => reaction.content === content)
}

function listReactors(
  group: ReactionGroup,
  args: G.ReactionGroupReactorsArgs,
  _context: Context,
  info: Info,
) {
  const reactions = reactionsOf(group)
  const users = reactions.map(({ user }) => user)
  const page = connection(users, args, info)
  const timeOf = new Map(reactions.map(({ user, createdAt }) => [user, createdAt]))
  return { ...page, edges: page.edges.map(edge => ({ ...edge, reactedAt: timeOf.get(edge.node) })) }
}

export const reactionFields: Fields<Reaction, G.Reaction> = {
  id: reaction => reaction.nodeId,
  databaseId: reaction => reaction.databaseId,
  content: reaction => reaction.content,
  createdAt: reaction => reaction.createdAt,
  reactable: reaction => reaction.subject,
  user: reaction => reaction.user,
}
