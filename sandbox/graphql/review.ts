import type * as G from '@octokit/graphql-schema'
import { canSeeReview } from '../store/access.ts'
import { associationOf } from '../store/association.ts'
import type { PullRequest } from '../store/entities.ts'
import type { Review, ReviewRequest } from '../store/review-entities.ts'
import { commentsOf, opinionsOn, reviewDecisionOf } from '../store/reviews.ts'
import { pageUrl, paths } from '../urls.ts'
import { authoredFields, minimizableFields } from './authored.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'
import { listThreads } from './review-thread.ts'

export const reviewFields: Fields<Review, G.PullRequestReview> = {
  ...authoredFields,
  ...minimizableFields,
  authorAssociation: review => associationOf(review.author, review.repository),
  state: review => review.state,
  commit: ({ repository, commitSha }, _args, { store }) =>
    store.git.commitAt(repository, commitSha),
  pullRequest: review => review.pullRequest,
  repository: review => review.repository,
  url: review => pageUrl(paths.review(review)),
  resourcePath: review => paths.review(review),
  submittedAt: review => review.submittedAt,
  publishedAt: review => review.submittedAt,
  comments: (review, args: G.PullRequestReviewCommentsArgs, _context, info) =>
    connection(commentsOf(review), args, info),
  onBehalfOf: emptyConnection,
  reactionGroups: () => [],
  reactions: emptyConnection,
}

export const reviewRequestFields: Fields<ReviewRequest, G.ReviewRequest> = {
  id: request => request.nodeId,
  databaseId: request => request.databaseId,
  pullRequest: request => request.pullRequest,
  requestedReviewer: request => request.reviewer,
  asCodeOwner: () => false,
}

/** The fields of a pull request that concern its reviews. */
export const reviewedFields: Fields<PullRequest, G.PullRequest> = {
  reviewDecision: reviewDecisionOf,
  reviews: listReviews,
  reviewRequests: (pull, args: G.PullRequestReviewRequestsArgs, _context, info) =>
    connection(pull.reviewRequests, args, info),
  latestReviews: (pull, args: G.PullRequestLatestReviewsArgs, _context, info) =>
    connection(latestOf(pull), args, info),
  latestOpinionatedReviews: (
    pull,
    args: G.PullRequestLatestOpinionatedReviewsArgs,
    _context,
    info,
  ) => connection(opinionsOn(pull), args, info),
  reviewThreads: listThreads,
}

function listReviews(
  { reviews }: PullRequest,
  args: G.PullRequestReviewsArgs,
  { principal }: Context,
  info: Info,
) {
  const found = reviews
    .filter(review => canSeeReview(principal, review))
    .filter(({ state }) => !args.states?.length || args.states.includes(state))
    .filter(({ author }) => !args.author || author.login === args.author)
  return connection(found, args, info)
}

/** The last submitted review of each user except the author. */
function latestOf({ reviews, author }: PullRequest): Review[] {
  const submitted = reviews.filter(review => review.state !== 'PENDING' && review.author !== author)
  return [...new Map(submitted.map(review => [review.author, review])).values()]
}
