import { canSeeReview, may, requireTriage, requireUnarchived } from '../store/access.ts'
import type { PullRequest } from '../store/entities.ts'
import { Refusal } from '../store/refusal.ts'
import type { Review } from '../store/review-entities.ts'
import { teamsAsked, usersAsked } from '../store/review-requests.ts'
import type { ReviewEvent } from '../store/reviews.ts'
import { optionalNames, optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  numberIn,
  ok,
  pullOf,
  type RestCall,
  type RouteTable,
} from './call.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { accountJson } from './json/account.ts'
import { pullRequestJson } from './json/pull-request.ts'
import { reviewJson } from './json/review.ts'
import { teamJson } from './json/team.ts'
import { paged } from './paging.ts'
import { threadsIn } from './review-threads.ts'

export const reviewRoutes: RouteTable = {
  'GET /repos/:owner/:repo/pulls/:number/reviews': listReviews,
  'POST /repos/:owner/:repo/pulls/:number/reviews': createReview,
  'GET /repos/:owner/:repo/pulls/:number/reviews/:id': call =>
    ok(reviewJson(reviewOf(call), call.origin)),
  'DELETE /repos/:owner/:repo/pulls/:number/reviews/:id': deleteReview,
  'POST /repos/:owner/:repo/pulls/:number/reviews/:id/events': submitReview,
  'PUT /repos/:owner/:repo/pulls/:number/reviews/:id/dismissals': dismissReview,
  'GET /repos/:owner/:repo/pulls/:number/requested_reviewers': listRequests,
  'POST /repos/:owner/:repo/pulls/:number/requested_reviewers': requestReviews,
  'DELETE /repos/:owner/:repo/pulls/:number/requested_reviewers': removeRequests,
}

/** Oldest first. */
function listReviews(call: RestCall): Answer {
  const visible = pullOf(call).reviews.filter(review => canSeeReview(call.principal, review))
  return paged(call, visible, review => reviewJson(review, call.origin))
}

export function reviewOf(call: RestCall): Review {
  const id = numberIn(call.params.id)
  const review = pullOf(call).reviews.find(({ databaseId }) => databaseId === id)
  if (!review || !canSeeReview(call.principal, review)) throw notFound()
  return review
}

function createReview(call: RestCall): Answer {
  const pull = pullOf(call)
  requireUnarchived(pull.repository)
  const fields = {
    author: call.viewer,
    event: eventIn(call),
    body: optionalText(call.body, 'body') ?? '',
    threads: threadsIn(call.body),
  }
  const review = unprocessable(() => call.store.reviews.add(pull, fields))
  return ok(reviewJson(review, call.origin))
}

function deleteReview(call: RestCall): Answer {
  const review = reviewOf(call)
  requireUnarchived(review.repository)
  unprocessable(() => call.store.reviews.delete(review))
  return ok(reviewJson(review, call.origin))
}

function submitReview(call: RestCall): Answer {
  const review = reviewOf(call)
  requireUnarchived(review.repository)
  const event = eventIn(call)
  if (!event) throw invalidRequest('"event" wasn\'t supplied.')
  const body = optionalText(call.body, 'body') ?? undefined
  unprocessable(() => call.store.reviews.submit(review, event, body))
  return ok(reviewJson(review, call.origin))
}

function dismissReview(call: RestCall): Answer {
  const review = reviewOf(call)
  requireUnarchived(review.repository)
  requiredText(call.body, 'message')
  if (!may(call.principal, 'write', review.repository)) throw notFound()
  unprocessable(() => call.store.reviews.dismiss(review))
  return ok(reviewJson(review, call.origin))
}

function listRequests(call: RestCall): Answer {
  const pull = pullOf(call)
  return ok({
    users: usersAsked(pull).map(user => accountJson(user, call.origin)),
    teams: teamsAsked(pull).map(team => teamJson(team, call.origin)),
  })
}

function requestReviews(call: RestCall): Answer {
  const pull = pullOf(call)
  requireTriage(call.principal, pull.repository)
  const reviewers = reviewersIn(call, pull)
  inWords(() => call.store.reviewRequests.add(pull, reviewers))
  return created(pullRequestJson(pull, call.origin, call.principal))
}

function removeRequests(call: RestCall): Answer {
  const pull = pullOf(call)
  requireTriage(call.principal, pull.repository)
  call.store.reviewRequests.remove(pull, reviewersIn(call, pull))
  return ok(pullRequestJson(pull, call.origin, call.principal))
}

function reviewersIn({ body, store }: RestCall, { repository }: PullRequest) {
  const users = optionalNames(body, 'reviewers') ?? []
  const teams = optionalNames(body, 'team_reviewers') ?? []
  return [
    ...users.map(login => store.accounts.findUser(login)),
    ...teams.map(slug => store.accounts.findTeam(repository.owner, slug)),
  ]
}

function eventIn({ body }: RestCall): ReviewEvent | undefined {
  const event = optionalText(body, 'event')
  if (event === undefined || event === null || event === '') return undefined
  if (event === 'APPROVE' || event === 'REQUEST_CHANGES' || event === 'COMMENT') return event
  throw invalidRequest(
    `For 'properties/event', "${event}" is not a member of ["APPROVE", "REQUEST_CHANGES", "COMMENT"].`,
  )
}

/** GitHub reports a refused review in sentences, not by field. */
export function unprocessable<T>(work: () => T): T {
  return reworded(
    work,
    message => new RestError(422, 'Unprocessable Entity', { errors: [message] }),
  )
}

/** GitHub reports a refused review request in the message itself. */
function inWords<T>(work: () => T): T {
  return reworded(work, message => new RestError(422, message))
}

function reworded<T>(work: () => T, word: (message: string) => RestError): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal && error.reason === 'invalid' ? word(error.message) : error
  }
}
