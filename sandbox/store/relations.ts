import type { Issue, PullRequest } from './entities.ts'
import { issuesIn, pullRequestsIn } from './items.ts'
import { type FieldProblem, invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

/** GitHub's limits per issue. */
const MOST_SUB_ISSUES = 100
const MOST_BLOCKERS = 50

/** Relations between issues: parent and sub-issue, blocking and blocked. */
export class Relations {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addSubIssue(parent: Issue, subIssue: Issue, replaceParent = false): void {
    const problem = { resource: 'SubIssue', field: 'sub_issue_id', code: 'invalid' } as const
    if (subIssue.parent === parent) {
      throw invalid('Issue may not contain duplicate sub-issues', problem)
    }
    if (subIssue.parent && !replaceParent) {
      throw invalid('Sub issue may only have one parent', problem)
    }
    if (ancestry(parent).includes(subIssue)) {
      throw invalid('Sub issue may not create a circular dependency', problem)
    }
    if (parent.subIssues.length >= MOST_SUB_ISSUES) {
      throw invalid(`Parent cannot have more than ${MOST_SUB_ISSUES} sub-issues`, problem)
    }
    if (subIssue.parent) removeSubIssueFrom(subIssue.parent, subIssue)
    subIssue.parent = parent
    parent.subIssues.push(subIssue)
    this.#touch(parent, subIssue)
  }

  removeSubIssue(parent: Issue, subIssue: Issue): void {
    if (subIssue.parent !== parent) {
      throw invalid('The provided sub-issue is not a sub-issue of this issue', {
        resource: 'SubIssue',
        field: 'sub_issue_id',
        code: 'invalid',
      })
    }
    subIssue.parent = null
    removeSubIssueFrom(parent, subIssue)
    this.#touch(parent, subIssue)
  }

  addBlocker(issue: Issue, blocker: Issue): void {
    const problem: FieldProblem = { resource: 'Issue', field: 'issue_id', code: 'invalid' }
    if (issue === blocker) throw invalid('Issue cannot block itself', problem)
    if (issue.blockedBy.includes(blocker)) {
      throw invalid('Target issue has already been taken', { ...problem, code: 'already_exists' })
    }
    if (issue.blockedBy.length >= MOST_BLOCKERS) {
      throw invalid(`Issue cannot be blocked by more than ${MOST_BLOCKERS} issues`, problem)
    }
    issue.blockedBy.push(blocker)
    this.#touch(issue, blocker)
  }

  removeBlocker(issue: Issue, blocker: Issue): void {
    if (!issue.blockedBy.includes(blocker)) {
      throw invalid('The dependency does not exist', {
        resource: 'Issue',
        field: 'issue_id',
        code: 'invalid',
      })
    }
    issue.blockedBy = issue.blockedBy.filter(it => it !== blocker)
    this.#touch(issue, blocker)
  }

  /** Removes all relations of an issue that is about to be deleted. */
  forget(issue: Issue): void {
    if (issue.parent) removeSubIssueFrom(issue.parent, issue)
    for (const subIssue of issue.subIssues) subIssue.parent = null
    for (const blocked of blockedBy(issue)) {
      blocked.blockedBy = blocked.blockedBy.filter(it => it !== issue)
    }
  }

  #touch(...issues: Issue[]): void {
    for (const issue of issues) issue.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }
}

/** The issues that this one blocks. The sandbox looks only in the issue's own repository. */
export function blockedBy(issue: Issue): Issue[] {
  return issuesIn(issue.repository).filter(other => other.blockedBy.includes(issue))
}

/** Pull requests whose description says that they close the issue, oldest first. */
export function closingPulls(issue: Issue): PullRequest[] {
  const words = new RegExp(
    `\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #${issue.number}\\b`,
    'i',
  )
  return pullRequestsIn(issue.repository).filter(pull => words.test(pull.body ?? ''))
}

function ancestry(issue: Issue): Issue[] {
  return issue.parent ? [issue, ...ancestry(issue.parent)] : [issue]
}

function removeSubIssueFrom(parent: Issue, subIssue: Issue): void {
  parent.subIssues = parent.subIssues.filter(it => it !== subIssue)
}
