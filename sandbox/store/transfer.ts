import { assignableUsers } from './access.ts'
import type { Issue, Label, Repository } from './entities.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'

/**
 * Moves an issue to another repository, where it gets a new number and id. Its comments move with
 * it. Its labels do if the target has labels of the same name. GitHub leaves a redirect behind; the
 * sandbox does not.
 */
export function transferIssue(
  store: Store,
  issue: Issue,
  to: Repository,
  createsLabels: boolean,
): Issue {
  requirePassage(issue.repository, to)
  const allowed = assignableUsers(to)
  const moved = store.issues.add(to, {
    title: issue.title,
    body: issue.body,
    author: issue.author,
    createdAt: issue.createdAt,
    labels: issue.labels.flatMap(label => labelIn(store, to, label, createsLabels)),
    assignees: issue.assignees.filter(user => allowed.includes(user)),
    milestone: to.milestones.find(({ title }) => title === issue.milestone?.title) ?? null,
  })
  for (const { author, body, createdAt } of issue.comments) {
    store.comments.add(moved, { author, body, createdAt })
  }
  const { state, stateReason, closedAt, closedBy, isLocked, lockReason } = issue
  Object.assign(moved, { state, stateReason, closedAt, closedBy, isLocked, lockReason })
  store.relations.forget(issue)
  store.issues.delete(issue)
  return moved
}

function requirePassage(from: Repository, to: Repository): void {
  if (from.owner !== to.owner) {
    throw new Refusal('unprocessable', 'Issues move only between repositories of one owner')
  }
  if (from.visibility === 'private' && to.visibility === 'public') {
    throw new Refusal('unprocessable', 'Issues do not move from private to public repositories')
  }
}

function labelIn(store: Store, to: Repository, label: Label, creates: boolean): Label[] {
  const { name, color, description } = label
  const known = store.labels.find(to, name)
  if (known) return [known]
  return creates ? [store.labels.add(to, { name, color, description })] : []
}
