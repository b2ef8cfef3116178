import type { PullRequest } from './entities.ts'
import { mergeBase, missingFrom } from './git/history.ts'
import { mergeTrees } from './git/merge.ts'
import type { Oid } from './git/objects.ts'
import type { GitRepository } from './git/repository.ts'
import type { BranchRules, MergeSettings } from './merge-entities.ts'

export function defaultMergeSettings(): MergeSettings {
  return {
    methods: new Set(['merge', 'squash', 'rebase']),
    allowsAutoMerge: true,
    branches: new Map(),
  }
}

export function rulesFor({ base }: PullRequest): BranchRules {
  return base.repository.merging.branches.get(base.name) ?? {}
}

const known = new WeakMap<GitRepository, Map<string, boolean>>()

/** The result is cached: it depends only on the two commits, and commits do not change. */
export function hasConflicts(git: GitRepository, { base, head }: PullRequest): boolean {
  const tip = git.refs.get(`refs/heads/${base.name}`) ?? base.sha
  const key = `${tip} ${head.sha}`
  const answers = known.get(git) ?? new Map<string, boolean>()
  const found = answers.get(key) ?? !mergesCleanly(git, tip, head.sha)
  known.set(git, answers.set(key, found))
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
