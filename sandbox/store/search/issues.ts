import { visibleTo } from '../access.ts'
import type { IssueOrPull, PullRequest } from '../entities.ts'
import { itemsIn } from '../items.ts'
import { compareNewest } from '../order.ts'
import { usersAsked } from '../review-requests.ts'
import { reviewDecisionOf } from '../reviews.ts'
import type { Store } from '../store.ts'
import type { Principal } from '../tokens.ts'
import { isInRange, naming, type Sort, same } from './query.ts'
import { ownerQualifiers } from './repositories.ts'
import { type Found, type Searchable, search } from './search.ts'

/** Issues and pull requests: type `ISSUE` in GraphQL, `/search/issues` in REST. */
const issues: Searchable<IssueOrPull> = {
  texts: {
    title: item => item.title,
    body: item => item.body ?? '',
    comments: item => item.comments.map(({ body }) => body).join('\n'),
  },
  qualifiers: {
    ...ownerQualifiers,
    type: isOfType,
    state: (item, value) => item.state === value,
    is: (item, value) => isOfType(item, value) || isInState(item, value),
    label: (item, value) =>
      value.split(',').some(name => item.labels.some(label => same(label.name, name))),
    author: (item, value) => same(item.author.login, value),
    assignee: (item, value) => item.assignees.some(user => same(user.login, value)),
    commenter: (item, value) => item.comments.some(({ author }) => same(author.login, value)),
    mentions: (item, value) => (item.body ?? '').includes(`@${value}`),
    milestone: (item, value) => item.milestone !== null && same(item.milestone.title, value),
    no: (item, value) => has[value]?.(item) === false,
    head: (item, value) => item.kind === 'PullRequest' && item.head.name === value,
    base: (item, value) => item.kind === 'PullRequest' && item.base.name === value,
    review: (item, value) => item.kind === 'PullRequest' && isInReview(item, value),
    'reviewed-by': (item, value) =>
      item.kind === 'PullRequest' &&
      item.reviews.some(({ author, state }) => state !== 'PENDING' && same(author.login, value)),
    'review-requested': isAskedToReview,
    'user-review-requested': isAskedToReview,
    involves: (item, value) =>
      [item.author, ...item.assignees, ...item.comments.map(({ author }) => author)].some(
        ({ login }) => same(login, value),
      ) || (item.body ?? '').includes(`@${value}`),
    reason: (item, value) =>
      item.kind === 'Issue' && same(item.stateReason ?? '', value.replace(' ', '_')),
    merged: (item, value) =>
      item.kind === 'PullRequest' && item.mergedAt !== null && isInRange(item.mergedAt, value),
    draft: (item, value) => item.kind === 'PullRequest' && String(item.isDraft) === value,
    archived: (item, value) => String(item.repository.isArchived) === value,
    language: (item, value) => same(item.repository.language ?? '', value),
    comments: (item, value) => isInRange(item.comments.length, value),
    created: (item, value) => isInRange(item.createdAt, value),
    updated: (item, value) => isInRange(item.updatedAt, value),
    closed: (item, value) => item.closedAt !== null && isInRange(item.closedAt, value),
  },
  notModelled: [
    'app',
    'interactions',
    'linked',
    'parent-issue',
    'project',
    'reactions',
    'sha',
    'status',
    'team',
    'team-review-requested',
  ],
  orders: {
    created: item => item.createdAt,
    updated: item => item.updatedAt,
    comments: item => item.comments.length,
    interactions: item => item.comments.length,
  },
  bestMatch: compareNewest,
}

export function searchItems(
  store: Store,
  principal: Principal,
  query: string,
  sort?: Sort,
): Found<IssueOrPull> {
  const items = visibleTo(principal, store.repositories.all()).flatMap(itemsIn)
  return search(items, naming(query, principal), issues, sort)
}

function isAskedToReview(item: IssueOrPull, value: string): boolean {
  if (item.kind !== 'PullRequest') return false
  return usersAsked(item).some(({ login }) => same(login, value))
}

function isInReview(pull: PullRequest, value: string): boolean {
  if (value === 'none') return pull.reviews.length === 0
  const decision = value === 'required' ? 'REVIEW_REQUIRED' : value.toUpperCase()
  return reviewDecisionOf(pull) === decision
}

const has: Readonly<Record<string, (item: IssueOrPull) => boolean>> = {
  label: item => item.labels.length > 0,
  assignee: item => item.assignees.length > 0,
  milestone: item => item.milestone !== null,
}

function isOfType(item: IssueOrPull, value: string): boolean {
  const isIssue = item.kind === 'Issue'
  return value === 'issue' ? isIssue : !isIssue && (value === 'pr' || value === 'pull-request')
}

function isInState(item: IssueOrPull, value: string): boolean {
  switch (value) {
    case 'merged':
      return item.kind === 'PullRequest' && item.mergedAt !== null
    case 'unmerged':
      return item.kind === 'PullRequest' && item.mergedAt === null
    case 'draft':
      return item.kind === 'PullRequest' && item.isDraft
    case 'locked':
      return item.isLocked
    default:
      return item.state === value || item.repository.visibility === value
  }
}
