import { associationOf } from '../../store/association.ts'
import type { Review, ReviewComment } from '../../store/review-entities.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountJson, GHOST } from './account.ts'
import { pullUrl, repositoryUrl } from './api-urls.ts'
import { reactionsJson } from './reactions.ts'

export function reviewJson(review: Review, origin: string) {
  const page = pageUrl(paths.review(review))
  const pull = pullUrl(review.pullRequest, origin)
  return {
    id: review.databaseId,
    node_id: review.nodeId,
    user: accountJson(review.author, origin),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pull,
    author_association: associationOf(review.author, review.repository),
    _links: { html: { href: page }, pull_request: { href: pull } },
    // As on GitHub, a pending review has no `submitted_at`.
    ...(review.submittedAt !== null && { submitted_at: review.submittedAt }),
    commit_id: review.commitSha,
  }
}

export function reviewCommentJson(comment: ReviewComment, origin: string) {
  const { thread } = comment
  const line = thread.isOutdated ? null : thread.originalLine
  return {
    ...commonJson(comment, origin),
    start_line: line === null ? null : thread.originalStartLine,
    original_start_line: thread.originalStartLine,
    start_side: thread.startSide,
    ...(line !== null && { line }),
    ...(thread.originalLine !== null && { original_line: thread.originalLine }),
    side: thread.side,
    subject_type: thread.originalLine === null ? 'file' : 'line',
  }
}

/** A comment in the list of its review. Only there, GitHub gives its position in the diff and no line. */
export function placedCommentJson(comment: ReviewComment, position: number, origin: string) {
  return {
    ...commonJson(comment, origin),
    position: comment.thread.isOutdated ? null : position,
    original_position: position,
  }
}

function commonJson(comment: ReviewComment, origin: string) {
  const { thread } = comment
  const url = `${repositoryUrl(comment.repository, origin)}/pulls/comments/${comment.databaseId}`
  const page = pageUrl(paths.reviewComment(comment))
  const pull = pullUrl(thread.pullRequest, origin)
  return {
    url,
    pull_request_review_id: comment.review.databaseId,
    id: comment.databaseId,
    node_id: comment.nodeId,
    diff_hunk: thread.diffHunk,
    path: thread.path,
    commit_id: comment.commitSha,
    original_commit_id: comment.commitSha,
    user: comment.author.login === GHOST ? null : accountJson(comment.author, origin),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: associationOf(comment.author, comment.repository),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    reactions: reactionsJson(url, comment.reactions),
    ...(comment.replyTo && { in_reply_to_id: comment.replyTo.databaseId }),
  }
}
