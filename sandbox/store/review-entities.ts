import type {
  Entity,
  Organization,
  PullRequest,
  Reaction,
  Repository,
  Timestamp,
  User,
} from './entities.ts'

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'

export interface Review extends Entity<'PullRequestReview'> {
  repository: Repository
  pullRequest: PullRequest
  author: User
  body: string
  state: ReviewState
  /** The head of the pull request when the review was started. */
  commitSha: string
  createdAt: Timestamp
  updatedAt: Timestamp
  /** Null while the review is pending. */
  submittedAt: Timestamp | null
}

export type DiffSide = 'LEFT' | 'RIGHT'

/** A conversation about a place in the diff. Only GraphQL has threads. */
export interface ReviewThread extends Entity<'PullRequestReviewThread'> {
  repository: Repository
  pullRequest: PullRequest
  path: string
  /** Null for a comment on a whole file. */
  originalLine: number | null
  originalStartLine: number | null
  side: DiffSide
  startSide: DiffSide | null
  /** The lines have changed since, so the thread has no place in the diff any more. */
  isOutdated: boolean
  resolvedBy: User | null
  /** The lines of the diff above the place, when the thread was started. */
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

/** A team of an organization, which can be asked for reviews. */
export interface Team extends Entity<'Team'> {
  organization: Organization
  slug: string
  name: string
}

export interface ReviewRequest extends Entity<'ReviewRequest'> {
  repository: Repository
  pullRequest: PullRequest
  reviewer: User | Team
}
