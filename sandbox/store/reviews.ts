import { may } from './access.ts'
import type { PullRequest, Timestamp, User } from './entities.ts'
import type { Git } from './git/git.ts'
import { rulesFor } from './merge-rules.ts'
import { requireBody } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Review, ReviewComment, ReviewState, ReviewThread } from './review-entities.ts'
import { type NewThread, refused, Threads } from './review-threads.ts'

export type ReviewEvent = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT'

export interface NewReview {
  author: User
  /** Without an event the review is pending, and only its author sees it. */
  event?: ReviewEvent | undefined
  body?: string
  threads?: readonly NewThread[]
  createdAt?: Timestamp
}

export interface NewReply {
  author: User
  body: string
  createdAt?: Timestamp
}

const states: Record<ReviewEvent, ReviewState> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
}

export class Reviews {
  readonly #registry: Registry
  readonly threads: Threads

  constructor(registry: Registry, git: Git) {
    this.#registry = registry
    this.threads = new Threads(registry, git)
  }

  add(pullRequest: PullRequest, fields: NewReview): Review {
    const { author, event, body = '', threads = [] } = fields
    if (this.pendingOf(pullRequest, author)) {
      throw refused('User can only have one pending review per pull request')
    }
    if (event) checkEvent(pullRequest, event, author, body, threads.length)
    for (const thread of threads) this.threads.check(pullRequest, thread)
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const review: Review = {
      kind: 'PullRequestReview',
      ...this.#registry.identify('PullRequestReview', pullRequest.repository),
      repository: pullRequest.repository,
      pullRequest,
      author,
      body,
      state: 'PENDING',
      commitSha: pullRequest.head.sha,
      createdAt,
      updatedAt: createdAt,
      submittedAt: null,
    }
    pullRequest.reviews.push(review)
    for (const thread of threads) this.threads.add(review, thread, createdAt)
    if (event) this.#submit(review, event, createdAt)
    return this.#registry.register(review)
  }

  /** Submits a pending review. */
  submit(review: Review, event: ReviewEvent, body = review.body): void {
    if (review.state !== 'PENDING') throw refused('Can not submit a review that is not pending')
    checkEvent(review.pullRequest, event, review.author, body, commentsOf(review).length)
    review.body = body
    this.#submit(review, event, this.#registry.timestamp())
    this.#registry.recordWrite()
  }

  /** Deletes a pending review with its comments. */
  delete(review: Review): void {
    if (review.state !== 'PENDING') {
      throw refused('Can not delete a non-pending pull request review')
    }
    const { pullRequest } = review
    for (const comment of commentsOf(review)) this.threads.delete(comment)
    pullRequest.reviews = pullRequest.reviews.filter(it => it !== review)
    this.#registry.unregister(review)
  }

  dismiss(review: Review): void {
    if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
      throw refused('Can not dismiss a commented pull request review')
    }
    review.state = 'DISMISSED'
    review.updatedAt = this.#registry.timestamp()
    review.pullRequest.updatedAt = review.updatedAt
    this.#registry.recordWrite()
  }

  /**
   * Replies in a thread. The reply joins the author's pending review if there is one. Otherwise it
   * becomes a review of its own, submitted at once.
   */
  reply(thread: ReviewThread, { author, body, createdAt }: NewReply): ReviewComment {
    requireBody('PullRequestReviewComment', body)
    const { pullRequest } = thread
    const at = createdAt ?? this.#registry.timestamp()
    const review = this.pendingOf(pullRequest, author) ?? this.#ownReview(pullRequest, author, at)
    return this.threads.comment(thread, review, body, at)
  }

  #ownReview(pullRequest: PullRequest, author: User, at: Timestamp): Review {
    const review = this.add(pullRequest, { author, createdAt: at })
    Object.assign(review, { state: 'COMMENTED', submittedAt: at } satisfies Partial<Review>)
    return review
  }

  pendingOf({ reviews }: PullRequest, author: User): Review | undefined {
    return reviews.find(review => review.state === 'PENDING' && review.author === author)
  }

  /** Submits a review and removes the request for it. */
  #submit(review: Review, event: ReviewEvent, at: Timestamp): void {
    const { pullRequest } = review
    Object.assign(review, { state: states[event], submittedAt: at, updatedAt: at })
    pullRequest.reviewRequests = pullRequest.reviewRequests.filter(
      ({ reviewer }) => reviewer !== review.author,
    )
    if (at > pullRequest.updatedAt) pullRequest.updatedAt = at
  }
}

/** The comments of a review, in the order of their threads. */
export function commentsOf(review: Review): ReviewComment[] {
  const comments = review.pullRequest.threads.flatMap(thread => thread.comments)
  return comments.filter(comment => comment.review === review)
}

function checkEvent(
  { author: owner }: PullRequest,
  event: ReviewEvent,
  author: User,
  body: string,
  comments: number,
): void {
  const acts = { APPROVE: 'approve', REQUEST_CHANGES: 'request changes on', COMMENT: null }
  if (owner === author && acts[event]) {
    throw refused(`Can not ${acts[event]} your own pull request`)
  }
  const says = body.trim() !== '' || (event === 'COMMENT' && comments > 0)
  if (event !== 'APPROVE' && !says) throw refused('Body can not be blank')
}

export type ReviewDecision = 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED'

/** The latest decisive review of each user who may write. Comments and pending reviews do not count. */
export function opinionsOn({ reviews }: PullRequest): Review[] {
  const latest = new Map<User, Review>()
  for (const review of reviews) {
    if (review.state === 'COMMENTED' || review.state === 'PENDING') continue
    latest.delete(review.author)
    latest.set(review.author, review)
  }
  return [...latest.values()].filter(({ author, repository }) =>
    may({ user: author, scopes: ['repo'] }, 'write', repository),
  )
}

/** The combined decision. Null if nobody decided and the base branch requires no approval. */
export function reviewDecisionOf(pullRequest: PullRequest): ReviewDecision | null {
  const states = opinionsOn(pullRequest).map(review => review.state)
  if (states.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED'
  if (states.includes('APPROVED')) return 'APPROVED'
  return rulesFor(pullRequest).requiresApproval ? 'REVIEW_REQUIRED' : null
}
