import type { App } from './actions/entities.ts'
import type { Entity, Repository, Timestamp, User } from './entities.ts'

/** A rule with its parameters, as the REST API names them. */
export interface Rule {
  readonly type: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface Ruleset extends Entity<'RepositoryRuleset'> {
  readonly repository: Repository
  readonly name: string
  readonly target: 'branch' | 'tag' | 'push'
  readonly enforcement: 'active' | 'disabled' | 'evaluate'
  /** Patterns of full names of refs, `~ALL`, or `~DEFAULT_BRANCH`. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly rules: readonly Rule[]
  /** Whether administrators of the repository may bypass the rules. */
  readonly adminsMayBypass: boolean
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

export interface Protection extends Entity<'BranchProtectionRule'> {
  readonly repository: Repository
  /** A branch, or a pattern such as `release/*`. */
  readonly pattern: string
  readonly reviews: {
    readonly count: number
    readonly dismissesStale: boolean
    readonly requiresCodeOwners: boolean
    readonly requiresLastPushApproval: boolean
  } | null
  readonly checks: {
    readonly isStrict: boolean
    readonly required: readonly { readonly context: string; readonly app: App | null }[]
  } | null
  /** The users who may push; null if everybody with the right to may. */
  readonly pushers: readonly User[] | null
  readonly isAdminEnforced: boolean
  readonly requiresLinearHistory: boolean
  readonly requiresSignatures: boolean
  readonly requiresConversationResolution: boolean
  readonly allowsForcePushes: boolean
  readonly allowsDeletions: boolean
  readonly isLocked: boolean
}
