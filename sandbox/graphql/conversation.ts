import type * as G from '@octokit/graphql-schema'
import { mayEdit } from '../store/access.ts'
import { associationOf } from '../store/association.ts'
import type { IssueOrPull, User } from '../store/entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { authoredFields } from './authored.ts'
import { commentOrders } from './comment.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Fields } from './fields.ts'
import { labelOrders } from './label.ts'
import { ordered } from './order.ts'
import { reactableFields } from './reaction.ts'

/** The fields that issues and pull requests share. */
export const conversationFields = {
  ...authoredFields,
  ...reactableFields,
  number: item => item.number,
  title: item => item.title,
  authorAssociation: item => associationOf(item.author, item.repository),
  repository: item => item.repository,
  url: item => pageUrl(paths.item(item)),
  resourcePath: item => paths.item(item),
  publishedAt: item => item.createdAt,
  closed: item => item.state === 'closed',
  closedAt: item => item.closedAt,
  locked: item => item.isLocked,
  activeLockReason: item => item.lockReason?.toUpperCase().replace(/[ -]/, '_') ?? null,
  milestone: item => item.milestone,

  labels: (item, args: G.IssueLabelsArgs, _context, info) =>
    connection(ordered(item.labels, labelOrders, args.orderBy), args, info),
  assignees: (item, args: G.IssueAssigneesArgs, _context, info) =>
    connection(
      item.assignees.filter(({ kind }) => kind === 'User'),
      args,
      info,
    ),
  comments: (item, args: G.IssueCommentsArgs, _context, info) =>
    connection(ordered(item.comments, commentOrders, args.orderBy), args, info),
  participants: (item, args: G.IssueParticipantsArgs, _context, info) =>
    connection(participantsOf(item), args, info),

  // The sandbox does not list the projects of an item.
  projectCards: emptyConnection,
  projectItems: emptyConnection,
  projectsV2: emptyConnection,

  viewerCanUpdate: (item, _args, { principal }) => mayEdit(principal, item),
  viewerCanClose: (item, _args, { principal }) => mayEdit(principal, item),
  viewerCanReopen: (item, _args, { principal }) => mayEdit(principal, item),
  viewerSubscription: () => 'UNSUBSCRIBED',
} satisfies Fields<IssueOrPull, G.Issue & G.PullRequest>

function participantsOf(item: IssueOrPull): User[] {
  const authors = item.comments.map(comment => comment.author)
  return [...new Set([item.author, ...item.assignees, ...authors])]
}
