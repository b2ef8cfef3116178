import type { Branch, PullRequest } from '../../store/entities.ts'
import { mergeStateOf } from '../../store/merge-state.ts'
import { teamsAsked, usersAsked } from '../../store/review-requests.ts'
import { reviewCommentCount } from '../../store/review-threads.ts'
import type { Principal } from '../../store/tokens.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountJson, accountOrNull } from './account.ts'
import { issueUrl, pullUrl, repositoryUrl } from './api-urls.ts'
import { conversationJson } from './issue.ts'
import { repositoryJson } from './repository.ts'
import { askedTeamJson, teamJson } from './team.ts'

/** A pull request in a list. */
export function pullRequestJson(pull: PullRequest, origin: string, viewer: Principal) {
  const page = pageUrl(paths.item(pull))
  const links = linksOf(pull, origin)
  return {
    url: links.self,
    id: pull.databaseId,
    node_id: pull.nodeId,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    ...conversationJson(pull, origin),
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    requested_reviewers: usersAsked(pull).map(user => accountJson(user, origin)),
    requested_teams: teamsAsked(pull).map(team => teamJson(team, origin)),
    draft: pull.isDraft,
    head: branchJson(pull.head, origin, viewer),
    base: branchJson(pull.base, origin, viewer),
    _links: Object.fromEntries(
      Object.entries({ ...links, html: page }).map(([name, href]) => [name, { href }]),
    ),
    auto_merge: pull.autoMerge && autoMergeJson(pull, origin),
  }
}

/** A single pull request, with counts and mergeability. */
export function fullPullRequestJson(pull: PullRequest, origin: string, viewer: Principal) {
  const isOpen = pull.state === 'open'
  return {
    ...pullRequestJson(pull, origin, viewer),
    requested_teams: teamsAsked(pull).map(team => askedTeamJson(team, origin)),
    merged: pull.mergedAt !== null,
    // GitHub does not check a merged or closed pull request for conflicts.
    mergeable: isOpen ? !pull.hasConflicts : null,
    rebaseable: isOpen ? !pull.hasConflicts : null,
    mergeable_state: mergeStateOf(pull).toLowerCase(),
    merged_by: accountOrNull(pull.mergedBy, origin),
    comments: pull.comments.length,
    review_comments: reviewCommentCount(pull),
    maintainer_can_modify: false,
    commits: pull.commitCount,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
  }
}

function linksOf(pull: PullRequest, origin: string) {
  const repository = repositoryUrl(pull.repository, origin)
  const self = pullUrl(pull, origin)
  const issue = issueUrl(pull, origin)
  return {
    self,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${repository}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${repository}/statuses/${pull.head.sha}`,
  }
}

function branchJson({ repository, name, sha }: Branch, origin: string, viewer: Principal) {
  return {
    label: `${repository.owner.login}:${name}`,
    ref: name,
    sha,
    user: accountJson(repository.owner, origin),
    repo: repositoryJson(repository, origin, viewer),
  }
}

function autoMergeJson({ autoMerge, title, body }: PullRequest, origin: string) {
  return (
    autoMerge && {
      enabled_by: accountJson(autoMerge.enabledBy, origin),
      merge_method: autoMerge.method,
      commit_title: title,
      commit_message: body ?? '',
    }
  )
}
