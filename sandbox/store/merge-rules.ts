import type { PullRequest } from './entities.ts'
import { mergeBase, missingFrom } from './git/history.ts'
import { mergeTrees } from './git/merge.ts'
import type { Oid } from './git/objects.ts'
import type { GitRepository } from './git/repository.ts'
import type { BranchRules, MergeSettings } from './merge-entities.ts'
import { protectionOf, rulesetsFor } from './ref-patterns.ts'

export function defaultMergeSettings(): MergeSettings {
  return {
    methods: new Set(['merge', 'squash', 'rebase']),
    allowsAutoMerge: true,
    branches: new Map(),
    rulesets: [],
    protections: [],
  }
}

/** The demands of rulesets and branch protection on pull requests, together with rules that tests set directly. */
export function rulesFor({ base: { repository, name } }: PullRequest): BranchRules {
  const rules = rulesetsFor(repository, name).flatMap(ruleset => ruleset.rules)
  const { reviews, checks } = protectionOf(repository, name) ?? {}
  const wants = (type: string, parameter: string) =>
    rules.some(rule => rule.type === type && Number(rule.parameters?.[parameter]) > 0)
  const isStrict = wants('required_status_checks', 'strict_required_status_checks_policy')
  return {
    requiresApproval: wants('pull_request', REVIEWS) || (reviews?.count ?? 0) > 0,
    requiresUpToDate: isStrict || (checks?.isStrict ?? false),
    hasMergeQueue: rules.some(({ type }) => type === 'merge_queue'),
    ...repository.merging.branches.get(name),
  }
}

const REVIEWS = 'required_approving_review_count'

/** By the names of the two commits, which stand for their content in every repository. */
const known = new Map<string, boolean>()

/** The result is cached: it depends only on the two commits, and commits do not change. */
export function hasConflicts(git: GitRepository, { base, head }: PullRequest): boolean {
  const tip = git.refs.get(`refs/heads/${base.name}`) ?? base.sha
  const key = `${tip} ${head.sha}`
  const found = known.get(key) ?? !mergesCleanly(git, tip, head.sha)
  known.set(key, found)
  return found
}

function mergesCleanly({ objects }: GitRepository, base: Oid, head: Oid): boolean {
  const common = mergeBase(objects, base, head)
  const tree = (oid: Oid) => objects.commit(oid).tree
  return mergeTrees(objects, common && tree(common), tree(base), tree(head)).ok
}

export function isBehind(git: GitRepository, { base, head }: PullRequest): boolean {
  const tip = git.refs.get(`refs/heads/${base.name}`) ?? base.sha
  return missingFrom(git.objects, head.sha, tip).length > 0
}
