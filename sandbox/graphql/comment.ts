import type * as G from '@octokit/graphql-schema'
import { associationOf } from '../store/association.ts'
import type { IssueComment } from '../store/entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { authoredFields, minimizableFields } from './authored.ts'
import type { Fields } from './fields.ts'
import { reactableFields } from './reaction.ts'

export const commentOrders: Record<G.IssueCommentOrderField, (comment: IssueComment) => string> = {
  UPDATED_AT: comment => comment.updatedAt,
}

export const commentFields: Fields<IssueComment, G.IssueComment> = {
  ...authoredFields,
  ...minimizableFields,
  ...reactableFields,
  authorAssociation: comment => associationOf(comment.author, comment.subject.repository),
  issue: comment => (comment.subject.kind === 'Issue' ? comment.subject : null),
  pullRequest: comment => (comment.subject.kind === 'PullRequest' ? comment.subject : null),
  repository: comment => comment.subject.repository,
  url: comment => pageUrl(paths.comment(comment)),
  resourcePath: comment => paths.comment(comment),
  publishedAt: comment => comment.createdAt,
}
