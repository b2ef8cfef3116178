import type * as G from '@octokit/graphql-schema'
import { may } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import { type Ref, shortName } from '../store/git/nodes.ts'
import { protectionOf } from '../store/ref-patterns.ts'
import type { Protection, Ruleset } from '../store/ruleset-entities.ts'
import { connection, type PageArguments } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'

export const rulesetFields: Fields<Ruleset, G.RepositoryRuleset> = {
  id: ruleset => ruleset.nodeId,
  databaseId: ruleset => ruleset.databaseId,
  name: ruleset => ruleset.name,
  target: ruleset => ruleset.target.toUpperCase(),
  enforcement: ruleset => ruleset.enforcement.toUpperCase(),
  source: ruleset => ruleset.repository,
  conditions: ({ include, exclude }) => ({
    refName: { include, exclude },
    repositoryId: null,
    repositoryName: null,
    repositoryProperty: null,
  }),
  rules: listRules,
  createdAt: ruleset => ruleset.createdAt,
  updatedAt: ruleset => ruleset.updatedAt,
}

/** Without their parameters, which the cards read by REST. */
function listRules(
  { nodeId, rules }: Ruleset,
  args: G.RepositoryRulesetRulesArgs,
  _context: Context,
  info: Info,
) {
  const wanted = rules.filter(
    ({ type }) => type.toUpperCase() === (args.type ?? type.toUpperCase()),
  )
  const nodes = wanted.map(({ type }) => {
    const id = `${nodeId}_${type}`
    return { id, nodeId: id, type: type.toUpperCase() }
  })
  return connection(nodes, args, info)
}

/** `Repository.rulesets`. The sandbox has none of organizations, so `includeParents` changes nothing. */
export function listRulesets(
  { merging }: Repository,
  args: PageArguments & { targets?: readonly G.RepositoryRulesetTarget[] | null },
  _context: Context,
  info: Info,
) {
  const targets = args.targets?.map(target => target.toLowerCase())
  const found = merging.rulesets.filter(({ target }) => targets?.includes(target) ?? true)
  return connection(found, args, info)
}

/** `Ref.branchProtectionRule`, for administrators. */
export function findProtection(ref: Ref, _args: unknown, { principal }: Context) {
  const isVisible = ref.name.startsWith('refs/heads/') && may(principal, 'admin', ref.repository)
  return (isVisible && protectionOf(ref.repository, shortName(ref))) || null
}

export const protectionFields: Fields<Protection, G.BranchProtectionRule> = {
  id: it => it.nodeId,
  databaseId: it => it.databaseId,
  pattern: it => it.pattern,
  requiresApprovingReviews: it => it.reviews !== null,
  requiredApprovingReviewCount: it => it.reviews?.count ?? null,
  dismissesStaleReviews: it => it.reviews?.dismissesStale ?? false,
  requiresCodeOwnerReviews: it => it.reviews?.requiresCodeOwners ?? false,
  requireLastPushApproval: it => it.reviews?.requiresLastPushApproval ?? false,
  restrictsReviewDismissals: () => false,
  requiresStatusChecks: it => it.checks !== null,
  requiresStrictStatusChecks: it => it.checks?.isStrict ?? false,
  requiredStatusChecks: it => it.checks?.required ?? [],
  isAdminEnforced: it => it.isAdminEnforced,
  requiresLinearHistory: it => it.requiresLinearHistory,
  requiresCommitSignatures: it => it.requiresSignatures,
  requiresConversationResolution: it => it.requiresConversationResolution,
  allowsForcePushes: it => it.allowsForcePushes,
  allowsDeletions: it => it.allowsDeletions,
  blocksCreations: () => false,
  lockBranch: it => it.isLocked,
  lockAllowsFetchAndMerge: () => false,
  restrictsPushes: it => it.pushers !== null,
  pushAllowances: (
    { nodeId, pushers },
    args: G.BranchProtectionRulePushAllowancesArgs,
    _context,
    info,
  ) => {
    const allowances = (pushers ?? []).map(actor => ({
      nodeId: `${nodeId} ${actor.nodeId}`,
      actor,
    }))
    return connection(allowances, args, info)
  },
}
