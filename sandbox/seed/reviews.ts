import type { PullRequest, Repository, Timestamp, User } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'

const PART = 'src/parts/part-20.ts'

/**
 * Adds reviews to hello-world. Pull request 20 had changes requested and was then approved. It has
 * an open thread of 25 comments, a resolved and an outdated one. For pull request 36 a review is
 * requested, and one is pending.
 */
export function seedReviews(
  store: Store,
  repository: Repository,
  octocat: User,
  hubot: User,
): void {
  const reviewed = repository.items.get(20) as PullRequest
  store.reviews.add(reviewed, {
    author: octocat,
    event: 'REQUEST_CHANGES',
    body: 'Nearly there.',
    threads: [
      { path: 'docs/change-20.md', line: 3, body: 'Why three?' },
      { path: PART, line: 12, startLine: 9, body: 'This could be one expression.' },
      { path: PART, line: 1, side: 'LEFT', body: 'Was this not needed?' },
    ],
    createdAt: date(0),
  })
  const [open, resolved, outdated] = reviewed.threads
  if (!open || !resolved || !outdated) throw new Error('the review began three threads')
  for (let count = 2; count <= 25; count += 1) {
    const author = count % 2 === 0 ? hubot : octocat
    store.reviews.reply(open, { author, body: `Thought ${count}.`, createdAt: date(count) })
  }
  store.reviews.threads.resolve(resolved, hubot)
  outdated.isOutdated = true
  store.reviews.add(reviewed, { author: octocat, event: 'APPROVE', createdAt: date(30) })

  const asked = repository.items.get(36) as PullRequest
  store.reviewRequests.add(asked, [octocat])
  asked.updatedAt = date(31)
  store.reviews.add(asked, { author: octocat, body: 'A first thought', createdAt: date(32) })
}

/** Two days after the seed begins, one minute apart. */
function date(minutes: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 4, 3, 4, 5) + minutes * 60_000)
}
