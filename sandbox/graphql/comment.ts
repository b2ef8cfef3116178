import type * as G from '@octokit/graphql-schema'
import { associationOf } from '../store/association.ts'
import type { IssueComment } from '../store/entities.ts'
import { pageUrl, paths } from '../urls.ts'
import type { Fields } from './fields.ts'
import { reactableFields } from './reaction.ts'

export const commentOrders: Record<G.IssueCommentOrderField, (comment: IssueComment) => string> = {
  UPDATED_AT: comment => comment.updatedAt,
}

export const commentFields: Fields<IssueComment, G.IssueComment> = {
  id: comment => comment.nodeId,
  databaseId: comment => comment.databaseId,
  fullDatabaseId: comment => String(comment.databaseId),
  body: comment => comment.body,
  author: comment => comment.author,
  authorAssociation: comment => associationOf(comment.author, comment.subject.repository),
  issue: comment => (comment.subject.kind === 'Issue' ? comment.subject : null),
  pullRequest: comment => (comment.subject.kind === 'PullRequest' ? comment.subject : null),
  repository: comment => comment.subject.repository,
  url: comment => pageUrl(paths.comment(comment)),
  resourcePath: comment => paths.comment(comment),
  createdAt: comment => comment.createdAt,
  updatedAt: comment => comment.updatedAt,
  publishedAt: comment => comment.createdAt,
  lastEditedAt: () => null,
  editor: () => null,
  includesCreatedEdit: () => false,
  createdViaEmail: () => false,
  isMinimized: () => false,
  minimizedReason: () => null,
  ...reactableFields,
  viewerDidAuthor: (comment, _args, { viewer }) => comment.author === viewer,
}
