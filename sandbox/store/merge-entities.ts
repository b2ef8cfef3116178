import type { Timestamp, User } from './entities.ts'
import type { MergeMethod } from './git/merge-commits.ts'
import type { Protection, Ruleset } from './ruleset-entities.ts'

/** How pull requests of one repository may be merged. */
export interface MergeSettings {
  methods: Set<MergeMethod>
  allowsAutoMerge: boolean
  /** Short branch name → rules for pull requests into that branch. */
  branches: Map<string, BranchRules>
  rulesets: Ruleset[]
  protections: Protection[]
}

export interface BranchRules {
  requiresApproval?: boolean
  requiresUpToDate?: boolean
  hasMergeQueue?: boolean
}

export interface AutoMerge {
  method: MergeMethod
  enabledBy: User
  enabledAt: Timestamp
}

export interface QueueEntry {
  enqueuer: User
  enqueuedAt: Timestamp
}
