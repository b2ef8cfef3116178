import type { IssueOrPull, PullRequest, Release, Repository } from './store/entities.ts'
import { issuesIn, pullRequestsIn } from './store/items.ts'
import { fullName } from './store/repositories.ts'
import { teamsAsked, usersAsked } from './store/review-requests.ts'
import type { Store } from './store/store.ts'

/** The answer of `GET /_sandbox/state`: the main objects that a caller can change. */
export function describeStore(store: Store) {
  return {
    writes: store.writes,
    accounts: store.accounts.all().map(({ kind, login, nodeId }) => ({ kind, login, id: nodeId })),
    repositories: store.repositories.all().map(it => describeRepository(store, it)),
  }
}

function describeRepository(store: Store, repository: Repository) {
  return {
    id: repository.nodeId,
    name: fullName(repository),
    visibility: repository.visibility,
    archived: repository.isArchived,
    has_issues: repository.hasIssues,
    labels: repository.labels.map(label => label.name),
    issues: issuesIn(repository).map(describeItem),
    pull_requests: pullRequestsIn(repository).map(describeItem),
    releases: repository.releases.map(describeRelease),
    refs: Object.fromEntries(
      store.git.refs(repository, 'refs/').map(({ name, oid }) => [name, oid]),
    ),
  }
}

function describeItem(item: IssueOrPull) {
  return {
    id: item.nodeId,
    number: item.number,
    title: item.title,
    body: item.body,
    state: item.kind === 'PullRequest' && item.mergedAt !== null ? 'merged' : item.state,
    author: item.author.login,
    labels: item.labels.map(label => label.name),
    assignees: item.assignees.map(user => user.login),
    comments: item.comments.map(({ nodeId, author, body }) => ({
      id: nodeId,
      author: author.login,
      body,
    })),
    ...(item.kind === 'PullRequest' && describeReviews(item)),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  }
}

function describeReviews(pull: PullRequest) {
  const { reviews, threads } = pull
  return {
    reviews: reviews.map(({ nodeId, author, state, body }) => ({
      id: nodeId,
      author: author.login,
      state,
      body,
    })),
    threads: threads.map(({ nodeId, path, resolvedBy, comments }) => ({
      id: nodeId,
      path,
      resolved: resolvedBy !== null,
      comments: comments.map(({ author, body }) => ({ author: author.login, body })),
    })),
    requested_reviewers: usersAsked(pull).map(({ login }) => login),
    requested_teams: teamsAsked(pull).map(({ slug }) => slug),
  }
}

function describeRelease(release: Release) {
  return {
    id: release.nodeId,
    tag: release.tagName,
    name: release.name,
    draft: release.isDraft,
    prerelease: release.isPrerelease,
  }
}
