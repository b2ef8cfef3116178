import type * as G from '@octokit/graphql-schema'
import { canSeeNode, may } from '../store/access.ts'
import { associationOf } from '../store/association.ts'
import type { PullRequest } from '../store/entities.ts'
import type { ReviewComment, ReviewThread } from '../store/review-entities.ts'
import { visibleComments } from '../store/review-threads.ts'
import { pageUrl, paths } from '../urls.ts'
import { authoredFields, minimizableFields } from './authored.ts'
import { connection } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'
import { reactableFields } from './reaction.ts'

export const threadFields: Fields<ReviewThread, G.PullRequestReviewThread> = {
  id: thread => thread.nodeId,
  path: thread => thread.path,
  line: thread => (thread.isOutdated ? null : thread.originalLine),
  startLine: thread => (thread.isOutdated ? null : thread.originalStartLine),
  originalLine: thread => thread.originalLine,
  originalStartLine: thread => thread.originalStartLine,
  diffSide: thread => thread.side,
  startDiffSide: thread => thread.startSide,
  subjectType: thread => (thread.originalLine === null ? 'FILE' : 'LINE'),
  isOutdated: thread => thread.isOutdated,
  isResolved: thread => thread.resolvedBy !== null,
  isCollapsed: thread => thread.resolvedBy !== null,
  resolvedBy: thread => thread.resolvedBy,
  pullRequest: thread => thread.pullRequest,
  repository: thread => thread.repository,
  comments: (thread, args: G.PullRequestReviewThreadCommentsArgs, { viewer }, info) =>
    connection(visibleComments(thread, viewer), args, info),
  viewerCanReply: thread => !thread.repository.isArchived,
  viewerCanResolve: (thread, _args, context) =>
    thread.resolvedBy === null && mayResolve(context, thread),
  viewerCanUnresolve: (thread, _args, context) =>
    thread.resolvedBy !== null && mayResolve(context, thread),
}

export const reviewCommentFields: Fields<ReviewComment, G.PullRequestReviewComment> = {
  ...authoredFields,
  ...minimizableFields,
  ...reactableFields,
  authorAssociation: comment => associationOf(comment.author, comment.repository),
  state: comment => (comment.review.state === 'PENDING' ? 'PENDING' : 'SUBMITTED'),
  path: comment => comment.thread.path,
  line: comment => (comment.thread.isOutdated ? null : comment.thread.originalLine),
  startLine: comment => (comment.thread.isOutdated ? null : comment.thread.originalStartLine),
  originalLine: comment => comment.thread.originalLine,
  originalStartLine: comment => comment.thread.originalStartLine,
  subjectType: comment => (comment.thread.originalLine === null ? 'FILE' : 'LINE'),
  outdated: comment => comment.thread.isOutdated,
  diffHunk: comment => comment.thread.diffHunk,
  commit: commitOf,
  originalCommit: commitOf,
  pullRequestReview: comment => comment.review,
  pullRequest: comment => comment.thread.pullRequest,
  repository: comment => comment.repository,
  replyTo: comment => comment.replyTo,
  url: comment => pageUrl(paths.reviewComment(comment)),
  resourcePath: comment => paths.reviewComment(comment),
  draftedAt: comment => comment.createdAt,
  publishedAt: comment => comment.review.submittedAt,
}

function commitOf({ repository, commitSha }: ReviewComment, _args: never, { store }: Context) {
  return store.git.commitAt(repository, commitSha)
}

/** `PullRequest.reviewThreads`: the threads with a comment that the viewer may see. */
export function listThreads(
  { threads }: PullRequest,
  args: G.PullRequestReviewThreadsArgs,
  { principal }: Context,
  info: Info,
) {
  return connection(
    threads.filter(thread => canSeeNode(principal, thread)),
    args,
    info,
  )
}

/** The author of the pull request, and users who may write, can resolve and unresolve. */
export function mayResolve(
  { principal }: Pick<Context, 'principal'>,
  { repository, pullRequest }: ReviewThread,
): boolean {
  if (repository.isArchived) return false
  return pullRequest.author === principal.user || may(principal, 'write', repository)
}
