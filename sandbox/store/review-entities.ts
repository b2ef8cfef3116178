import type { Entity, PullRequest, Reaction, Repository, Timestamp, User } from './entities.ts'

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'

export interface Review extends Entity<'PullRequestReview'> {
  repository: Repository
  pullRequest: PullRequest
  author: User
  body: string
  state: ReviewState
  /** The head of the pull request when the review was begun. */
  commitSha: string
  createdAt: Timestamp
  updatedAt: Timestamp
  /** Null as long as only its author sees it. */
  submittedAt: Timestamp | null
}

export type DiffSide = 'LEFT' | 'RIGHT'

/** A conversation about a place in the diff, which only GraphQL knows as one thing. */
export interface ReviewThread extends Entity<'PullRequestReviewThread'> {
  repository: Repository
  pullRequest: PullRequest
  path: string
  /** Null for a whole file. */
  originalLine: number | null
  originalStartLine: number | null
  side: DiffSide
  startSide: DiffSide | null
  /** The lines it is about have changed since: it has no place in the diff any more. */
  isOutdated: boolean
  resolvedBy: User | null
  /** The lines of the diff above the place, as they were. */
  diffHunk: string
  comments: ReviewComment[]
}

export interface ReviewComment extends Entity<'PullRequestReviewComment'> {
  repository: Repository
  thread: ReviewThread
  review: Review
  author: User
  body: string
  reactions: Reaction[]
  replyTo: ReviewComment | null
  commitSha: string
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface ReviewRequest extends Entity<'ReviewRequest'> {
  repository: Repository
  pullRequest: PullRequest
  reviewer: User
}
