import type { Repository, Timestamp } from './entities.ts'
import type { Registry } from './registry.ts'
import type { Protection, Ruleset } from './ruleset-entities.ts'

type Own = 'kind' | 'nodeId' | 'databaseId' | 'repository'
export type NewRuleset = Pick<Ruleset, 'name' | 'rules'> &
  Partial<Omit<Ruleset, Own | 'name' | 'rules' | 'updatedAt'>>
export type NewProtection = Pick<Protection, 'pattern'> & Partial<Omit<Protection, Own | 'pattern'>>

/** Rulesets and branch protection. The repositories hold them, since merging obeys them. */
export class Rulesets {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewRuleset): Ruleset {
    const createdAt: Timestamp = fields.createdAt ?? this.#registry.timestamp()
    const ruleset: Ruleset = {
      kind: 'RepositoryRuleset',
      ...this.#registry.identify('RepositoryRuleset', repository),
      repository,
      target: 'branch',
      enforcement: 'active',
      include: ['~DEFAULT_BRANCH'],
      exclude: [],
      adminsMayBypass: false,
      ...fields,
      createdAt,
      updatedAt: createdAt,
    }
    repository.merging.rulesets.push(ruleset)
    return this.#registry.register(ruleset)
  }

  protect(repository: Repository, fields: NewProtection): Protection {
    const protection: Protection = {
      kind: 'BranchProtectionRule',
      ...this.#registry.identify('BranchProtectionRule', repository),
      repository,
      reviews: null,
      checks: null,
      pushers: null,
      isAdminEnforced: false,
      requiresLinearHistory: false,
      requiresSignatures: false,
      requiresConversationResolution: false,
      allowsForcePushes: false,
      allowsDeletions: false,
      isLocked: false,
      ...fields,
    }
    repository.merging.protections.push(protection)
    return this.#registry.register(protection)
  }
}
