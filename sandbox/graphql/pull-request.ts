import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import type { Branch, PullRequest, Repository } from '../store/entities.ts'
import { pullRequestsIn } from '../store/items.ts'
import { reviewCommentCount } from '../store/review-threads.ts'
import type { Store } from '../store/store.ts'
import { pageUrl, paths } from '../urls.ts'
import { rollupOf } from './check-rollup.ts'
import { connection, emptyConnection } from './connection.ts'
import { conversationFields } from './conversation.ts'
import type { Context, Fields, Info } from './fields.ts'
import { issueOrders, matchesLabels } from './issue.ts'
import { mergingFields } from './merging.ts'
import { ordered } from './order.ts'
import { reviewedFields } from './review.ts'

export const pullRequestFields: Fields<PullRequest, G.PullRequest> = {
  ...conversationFields,
  state: stateOf,
  isDraft: pull => pull.isDraft,
  permalink: pull => pageUrl(paths.item(pull)),

  baseRefName: pull => pull.base.name,
  baseRefOid: pull => pull.base.sha,
  baseRepository: pull => pull.base.repository,
  headRef: (pull, _args, { store }) => refOf(store, pull.head),
  baseRef: (pull, _args, { store }) => refOf(store, pull.base),
  headRefName: pull => pull.head.name,
  headRefOid: pull => pull.head.sha,
  headRepository: pull => pull.head.repository,
  headRepositoryOwner: pull => pull.head.repository.owner,
  isCrossRepository: pull => pull.head.repository !== pull.base.repository,
  maintainerCanModify: () => false,

  merged: pull => pull.mergedAt !== null,
  mergedAt: pull => pull.mergedAt,
  mergedBy: pull => pull.mergedBy,
  mergeCommit: ({ mergeCommitSha, repository }, _args, { store }) =>
    mergeCommitSha === null ? null : store.git.commitAt(repository, mergeCommitSha),
  potentialMergeCommit: () => null,
  ...mergingFields,

  additions: pull => pull.additions,
  deletions: pull => pull.deletions,
  changedFiles: pull => pull.changedFiles,
  files: listFiles,
  commits: listCommits,
  statusCheckRollup: (pull, _args, { store }) => rollupOf(store, pull.repository, pull.head.sha),
  totalCommentsCount: pull => pull.comments.length + reviewCommentCount(pull),

  ...reviewedFields,
  closingIssuesReferences: emptyConnection,
}

/** `Repository.pullRequests`. */
export function listPullRequests(
  repository: Repository,
  args: G.RepositoryPullRequestsArgs,
  _context: Context,
  info: Info,
) {
  const pulls = pullRequestsIn(repository)
    .filter(pull => !args.states?.length || args.states.includes(stateOf(pull)))
    .filter(pull => matchesLabels(pull, args.labels))
    .filter(pull => !isGiven(args.baseRefName) || pull.base.name === args.baseRefName)
    .filter(pull => !isGiven(args.headRefName) || pull.head.name === args.headRefName)
  return connection(ordered(pulls, issueOrders, args.orderBy), args, info)
}

function stateOf(pull: PullRequest): G.PullRequestState {
  if (pull.mergedAt !== null) return 'MERGED'
  return pull.state === 'open' ? 'OPEN' : 'CLOSED'
}

/** Null if the branch was deleted. */
function refOf({ git }: Store, { repository, name }: Branch) {
  return git.branch(repository, name) ?? null
}

function listFiles(
  { repository, base, head }: PullRequest,
  args: G.PullRequestFilesArgs,
  { store }: Context,
  info: Info,
) {
  const changes = store.git.of(repository).changesSinceFork(base.sha, head.sha)
  const files = changes.map(({ path, status, additions, deletions }) => ({
    nodeId: path,
    path,
    additions,
    deletions,
    changeType: status === 'removed' ? 'DELETED' : status.toUpperCase(),
  }))
  return connection(files, args, info)
}

/** Oldest first. */
function listCommits(
  pull: PullRequest,
  args: G.PullRequestCommitsArgs,
  { store }: Context,
  info: Info,
) {
  const commits = store.pullRequests.commitsOf(pull)
  const nodes = commits.map(commit => ({ nodeId: commit.nodeId, commit, pullRequest: pull }))
  return connection(nodes, args, info)
}
