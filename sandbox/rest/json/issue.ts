import { associationOf } from '../../store/association.ts'
import type { Issue, IssueComment, IssueOrPull, PullRequest } from '../../store/entities.ts'
import { blockedBy } from '../../store/relations.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountJson, accountOrNull } from './account.ts'
import { issueUrl, pullUrl, repositoryUrl } from './api-urls.ts'
import { issueTypeJson } from './issue-type.ts'
import { labelJson } from './label.ts'
import { milestoneJson } from './milestone.ts'
import { reactionsJson } from './reactions.ts'

/** An issue, or a pull request in the form of an issue. */
export function issueJson(item: IssueOrPull, origin: string) {
  const url = issueUrl(item, origin)
  return {
    url,
    repository_url: repositoryUrl(item.repository, origin),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: pageUrl(paths.item(item)),
    id: item.kind === 'Issue' ? item.databaseId : item.issueDatabaseId,
    node_id: item.nodeId,
    ...conversationJson(item, origin),
    comments: item.comments.length,
    reactions: reactionsJson(url, item.reactions),
    performed_via_github_app: null,
    ...(item.kind === 'Issue'
      ? {
          state_reason: item.stateReason,
          ...(item.type && { type: issueTypeJson(item.type) }),
          ...relationsJson(item, origin),
        }
      : { draft: item.isDraft, state_reason: null, pull_request: pullLinks(item, origin) }),
  }
}

/** A single issue. It has more fields than an issue in a list. */
export function fullIssueJson(item: IssueOrPull, origin: string) {
  return { ...issueJson(item, origin), closed_by: accountOrNull(item.closedBy, origin) }
}

/** The fields that issues and pull requests share. */
export function conversationJson(item: IssueOrPull, origin: string) {
  const assignees = item.assignees.map(user => accountJson(user, origin))
  return {
    number: item.number,
    title: item.title,
    user: accountJson(item.author, origin),
    labels: item.labels.map(label => labelJson(label, origin)),
    state: item.state,
    locked: item.isLocked,
    active_lock_reason: item.lockReason,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: item.milestone && milestoneJson(item.milestone, origin),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
    author_association: associationOf(item.author, item.repository),
    body: item.body,
  }
}

export function commentJson(comment: IssueComment, origin: string) {
  const repository = repositoryUrl(comment.subject.repository, origin)
  const url = `${repository}/issues/comments/${comment.databaseId}`
  return {
    url,
    html_url: pageUrl(paths.comment(comment)),
    issue_url: issueUrl(comment.subject, origin),
    id: comment.databaseId,
    node_id: comment.nodeId,
    user: accountJson(comment.author, origin),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(comment.author, comment.subject.repository),
    body: comment.body,
    reactions: reactionsJson(url, comment.reactions),
    performed_via_github_app: null,
  }
}

function relationsJson(issue: Issue, origin: string) {
  const { parent, subIssues, blockedBy: blockers } = issue
  const completed = subIssues.filter(({ state }) => state === 'closed').length
  const blocked = blockedBy(issue)
  return {
    ...(parent && {
      parent_issue_url: issueUrl(parent, origin),
    }),
    sub_issues_summary: {
      total: subIssues.length,
      completed,
      percent_completed: Math.floor((100 * completed) / (subIssues.length || 1)),
    },
    issue_dependencies_summary: {
      blocked_by: countOpen(blockers),
      total_blocked_by: blockers.length,
      blocking: countOpen(blocked),
      total_blocking: blocked.length,
    },
  }
}

function countOpen(issues: readonly Issue[]): number {
  return issues.filter(({ state }) => state === 'open').length
}

function pullLinks(pull: PullRequest, origin: string) {
  const page = pageUrl(paths.item(pull))
  return {
    url: pullUrl(pull, origin),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: pull.mergedAt,
  }
}
