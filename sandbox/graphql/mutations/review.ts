import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { may, requireUnarchived } from '../../store/access.ts'
import { Refusal, requireBody } from '../../store/refusal.ts'
import type { Review, ReviewThread } from '../../store/review-entities.ts'
import { refused } from '../../store/review-threads.ts'
import type { ReviewEvent } from '../../store/reviews.ts'
import { edge } from '../connection.ts'
import type { Context, Fields } from '../fields.ts'
import { mayResolve } from '../review-thread.ts'
import { target, triageable } from './targets.ts'

export const reviewMutations: Fields<unknown, G.Mutation> = {
  addPullRequestReview(_root, { input }: G.MutationAddPullRequestReviewArgs, context) {
    const pull = target(context, input.pullRequestId, 'PullRequest')
    requireUnarchived(pull.repository)
    if (input.comments?.length) {
      throw new Error('sandbox: AddPullRequestReviewInput.comments is not modelled')
    }
    const threads = (input.threads ?? []).filter(isGiven)
    const pullRequestReview = context.store.reviews.add(pull, {
      author: context.viewer,
      event: eventOf(input.event),
      body: input.body ?? '',
      threads: threads.map(thread => ({
        path: thread.path,
        body: thread.body,
        line: thread.line,
        side: thread.side ?? 'RIGHT',
        startLine: thread.startLine ?? null,
        startSide: thread.startSide ?? null,
      })),
    })
    const reviewEdge = edge(pullRequestReview)
    return { pullRequestReview, reviewEdge }
  },

  submitPullRequestReview(_root, { input }: G.MutationSubmitPullRequestReviewArgs, context) {
    const pullRequestReview = ownPending(context, input)
    requireUnarchived(pullRequestReview.repository)
    const event = eventOf(input.event)
    if (!event) throw new Error('sandbox: submitting with DISMISS is not modelled')
    context.store.reviews.submit(pullRequestReview, event, input.body ?? undefined)
    return { pullRequestReview }
  },

  deletePullRequestReview(_root, { input }: G.MutationDeletePullRequestReviewArgs, context) {
    const pullRequestReview = target(context, input.pullRequestReviewId, 'PullRequestReview')
    requireUnarchived(pullRequestReview.repository)
    context.store.reviews.delete(pullRequestReview)
    return { pullRequestReview }
  },

  dismissPullRequestReview(_root, { input }: G.MutationDismissPullRequestReviewArgs, context) {
    const pullRequestReview = target(context, input.pullRequestReviewId, 'PullRequestReview')
    requireWrite(context, pullRequestReview)
    requireBody('PullRequestReview', input.message)
    context.store.reviews.dismiss(pullRequestReview)
    return { pullRequestReview }
  },

  requestReviews(_root, { input }: G.MutationRequestReviewsArgs, context) {
    const pullRequest = triageable(context, input.pullRequestId, 'PullRequest')
    const asked = [
      ...(input.userIds ?? []).map(id => target(context, id, 'User')),
      ...(input.teamIds ?? []).map(id => target(context, id, 'Team')),
    ]
    const { reviewRequests } = context.store
    const others = pullRequest.reviewRequests.map(({ reviewer }) => reviewer)
    reviewRequests.add(pullRequest, asked)
    if (!input.union) {
      reviewRequests.remove(
        pullRequest,
        others.filter(reviewer => !asked.includes(reviewer)),
      )
    }
    return { pullRequest, actor: context.viewer }
  },

  addPullRequestReviewThreadReply(
    _root,
    { input }: G.MutationAddPullRequestReviewThreadReplyArgs,
    context,
  ) {
    const thread = target(context, input.pullRequestReviewThreadId, 'PullRequestReviewThread')
    requireUnarchived(thread.repository)
    const { viewer: author, store } = context
    const comment = store.reviews.reply(thread, { author, body: input.body })
    return { comment }
  },

  resolveReviewThread: (_root, { input }: G.MutationResolveReviewThreadArgs, context) =>
    setResolver(context, input, context.viewer),

  unresolveReviewThread: (_root, { input }: G.MutationUnresolveReviewThreadArgs, context) =>
    setResolver(context, input, null),
}

function setResolver(
  context: Context,
  { threadId }: G.ResolveReviewThreadInput,
  actor: ReviewThread['resolvedBy'],
) {
  const thread = target(context, threadId, 'PullRequestReviewThread')
  requireUnarchived(thread.repository)
  if (!mayResolve(context, thread)) {
    const { login } = context.viewer
    throw new Refusal('forbidden', `${login} does not have permission to resolve this thread.`)
  }
  context.store.reviews.threads.resolve(thread, actor)
  return { thread }
}

type PendingInput = Pick<G.SubmitPullRequestReviewInput, 'pullRequestReviewId' | 'pullRequestId'>

/** The viewer's pending review, by its id or by that of its pull request. */
export function ownPending(context: Context, input: PendingInput): Review {
  if (input.pullRequestReviewId) {
    return target(context, input.pullRequestReviewId, 'PullRequestReview')
  }
  const pull = target(context, input.pullRequestId ?? '', 'PullRequest')
  const pending = context.store.reviews.pendingOf(pull, context.viewer)
  if (!pending) throw refused('There is no pending review to submit')
  return pending
}

function requireWrite({ principal }: Context, { repository }: Review): void {
  requireUnarchived(repository)
  if (!may(principal, 'write', repository)) {
    throw new Refusal('forbidden', 'Must have write access to dismiss a review.')
  }
}

/** Only `dismissPullRequestReview` can dismiss, although the enum has the event. */
function eventOf(event: G.PullRequestReviewEvent | null | undefined): ReviewEvent | undefined {
  if (event === 'DISMISS') throw refused('Can not dismiss a review that is not there')
  return event ?? undefined
}
