import type { PullRequest } from './entities.ts'
import { rulesFor } from './merge-rules.ts'
import { reviewDecisionOf } from './reviews.ts'

/** GitHub does not check a merged or closed pull request for conflicts. */
export function mergeableOf(pull: PullRequest): 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN' {
  if (pull.state === 'closed') return 'UNKNOWN'
  return pull.hasConflicts ? 'CONFLICTING' : 'MERGEABLE'
}

export type MergeState = 'BEHIND' | 'BLOCKED' | 'CLEAN' | 'DIRTY' | 'DRAFT' | 'UNKNOWN'

/** The first reason that prevents a merge. */
export function mergeStateOf(pull: PullRequest): MergeState {
  if (pull.state === 'closed') return 'UNKNOWN'
  if (pull.hasConflicts) return 'DIRTY'
  if (pull.isDraft) return 'DRAFT'
  const rules = rulesFor(pull)
  if (rules.requiresApproval && reviewDecisionOf(pull) !== 'APPROVED') return 'BLOCKED'
  return rules.requiresUpToDate && pull.isBehind ? 'BEHIND' : 'CLEAN'
}
