import { may } from './access.ts'
import type { PullRequest, User } from './entities.ts'
import type { Git } from './git/git.ts'
import type { MergeMethod } from './git/merge-commits.ts'
import type { Oid } from './git/objects.ts'
import { rulesFor } from './merge-rules.ts'
import { mergeStateOf } from './merge-state.ts'
import type { PullRequests } from './pull-requests.ts'
import { Refusal } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Principal } from './tokens.ts'

/** The message of the commit; GitHub writes what is left out. */
export interface MergeMessage {
  readonly subject?: string | undefined
  readonly body?: string | undefined
}

interface MergeHow extends MergeMessage {
  readonly method: MergeMethod
}

const METHOD_NAMES: Record<MergeMethod, string> = {
  merge: 'Merge commits',
  squash: 'Squash merges',
  rebase: 'Rebase merges',
}

/** The operations that lead to a merge, with the rules that GitHub checks for them. */
export class Merging {
  readonly #registry: Registry
  readonly #git: Git
  readonly #pulls: PullRequests

  constructor(registry: Registry, git: Git, pulls: PullRequests) {
    this.#registry = registry
    this.#git = git
    this.#pulls = pulls
  }

  /** @param expected The head commit that the caller last saw. */
  merge(pull: PullRequest, by: Principal, how: MergeHow, expected?: Oid): Oid {
    requireMethod(pull, how.method)
    requireHead(pull, expected, 'head_modified')
    if (pull.state === 'closed' || pull.hasConflicts) throw notMergeable()
    if (pull.isDraft) throw notMergeable('Pull Request is still a draft')
    // Administrators bypass the rules of a branch.
    if (!may(by, 'admin', pull.repository)) requireRules(pull)
    const outcome = this.#pulls.merge(pull, by.user, how)
    if (!outcome.ok) throw notMergeable()
    return outcome.oid
  }

  enqueue(pull: PullRequest, by: Principal, expected?: Oid): void {
    requireHead(pull, expected, 'unprocessable')
    if (!rulesFor(pull).hasMergeQueue) {
      throw new Refusal('unprocessable', 'The base branch does not use a merge queue')
    }
    const isReady = pull.state === 'open' && !pull.hasConflicts && !pull.isDraft
    if (!isReady) throw new Refusal('unprocessable', 'Pull request is not mergeable')
    pull.queueEntry ??= { enqueuer: by.user, enqueuedAt: this.#registry.timestamp() }
    this.#touch(pull)
  }

  enableAutoMerge(pull: PullRequest, by: Principal, method: MergeMethod, expected?: Oid): void {
    requireMethod(pull, method)
    requireHead(pull, expected, 'unprocessable')
    if (!pull.repository.merging.allowsAutoMerge) {
      throw new Refusal('unprocessable', 'Auto merge is not allowed for this repository')
    }
    const state = mergeStateOf(pull)
    if (state === 'CLEAN' || state === 'UNKNOWN') {
      const what = state === 'CLEAN' ? 'in clean status' : 'closed'
      throw new Refusal('unprocessable', `Pull request is ${what}`)
    }
    pull.autoMerge = { method, enabledBy: by.user, enabledAt: this.#registry.timestamp() }
    this.#touch(pull)
  }

  disableAutoMerge(pull: PullRequest): void {
    if (!pull.autoMerge) {
      throw new Refusal('unprocessable', "Can't disable auto-merge for this pull request.")
    }
    pull.autoMerge = null
    this.#touch(pull)
  }

  /** Merges the base branch into the head branch. */
  updateBranch(pull: PullRequest, by: User, expected?: Oid): void {
    const { head, base } = pull
    if (expected !== undefined && expected !== head.sha) {
      throw new Refusal('unprocessable', "expected head sha didn't match current head ref.")
    }
    if (pull.state === 'closed') throw new Refusal('unprocessable', 'Pull request is closed')
    if (!pull.isBehind) {
      throw new Refusal('unprocessable', 'There are no new commits on the base branch.')
    }
    const tip = this.#git.branch(base.repository, base.name)?.oid ?? base.sha
    const outcome = this.#git.merge(head.repository, {
      into: head.name,
      head: tip,
      by,
      message: `Merge branch '${base.name}' into ${head.name}`,
    })
    if (!outcome.ok) throw new Refusal('unprocessable', 'merge conflict between base and head')
  }

  setDraft(pull: PullRequest, isDraft: boolean): void {
    if (pull.state === 'closed') {
      throw new Refusal('unprocessable', 'Pull request is not in an open state')
    }
    pull.isDraft = isDraft
    this.#touch(pull)
  }

  #touch(pull: PullRequest): void {
    pull.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }
}

function requireMethod(pull: PullRequest, method: MergeMethod): void {
  if (pull.repository.merging.methods.has(method)) return
  throw notMergeable(`${METHOD_NAMES[method]} are not allowed on this repository.`)
}

function requireHead(
  { head }: PullRequest,
  expected: Oid | undefined,
  reason: 'head_modified' | 'unprocessable',
): void {
  if (expected === undefined || expected === head.sha) return
  throw new Refusal(reason, 'Head branch was modified. Review and try the merge again.')
}

function requireRules(pull: PullRequest): void {
  if (rulesFor(pull).hasMergeQueue) {
    throw notMergeable('Changes must be made through the merge queue')
  }
  const state = mergeStateOf(pull)
  if (state === 'BLOCKED') {
    throw notMergeable('At least 1 approving review is required by reviewers with write access.')
  }
  if (state === 'BEHIND') throw notMergeable('Head branch is out of date')
}

function notMergeable(why = 'Pull Request is not mergeable'): Refusal {
  return new Refusal('not_mergeable', why)
}
