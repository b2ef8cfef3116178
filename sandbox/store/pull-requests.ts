import type { Branch, PullRequest, Repository, Timestamp, User } from './entities.ts'
import type { Changes } from './git/commits.ts'
import { type FileChange, totalOf } from './git/diff.ts'
import type { Git } from './git/git.ts'
import { missingFrom } from './git/history.ts'
import type { MergeMethod, MergeOutcome } from './git/merge-commits.ts'
import type { Commit } from './git/nodes.ts'
import type { Oid } from './git/objects.ts'
import { type NewConversation, newConversation } from './issues.ts'
import { hasConflicts, isBehind } from './merge-rules.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewPullRequest extends NewConversation {
  /** Head branch. If it does not exist, it is created with one commit. */
  head: string
  /** The repository of the head branch. @default the same repository */
  headRepository?: Repository
  base?: string
  isDraft?: boolean
  /** Changes of the commit on a created branch. @default a note named after the branch */
  changes?: Changes
}

const UNMERGED = {
  mergedAt: null,
  mergedBy: null,
  mergeCommitSha: null,
  autoMerge: null,
  queueEntry: null,
}

export class PullRequests {
  readonly #registry: Registry
  readonly #git: Git
  readonly #all: PullRequest[] = []

  constructor(registry: Registry, git: Git) {
    this.#registry = registry
    this.#git = git
    git.onPush(({ repository, ref, oid }) => this.#follow(repository, ref, oid))
  }

  add(repository: Repository, fields: NewPullRequest): PullRequest {
    const conversation = newConversation(this.#registry, repository, fields)
    const base = this.#baseBranch(repository, fields)
    const git = this.#git.of(repository)
    const pull: PullRequest = {
      kind: 'PullRequest',
      ...this.#registry.identify('PullRequest', repository),
      ...conversation,
      issueDatabaseId: this.#registry.nextId(),
      isDraft: fields.isDraft ?? false,
      base,
      head: this.#headBranch(base, fields, conversation.createdAt),
      ...UNMERGED,
      get commitCount() {
        return missingFrom(git.objects, pull.base.sha, pull.head.sha).length
      },
      get additions() {
        return totalOf(changes(), 'additions')
      },
      get deletions() {
        return totalOf(changes(), 'deletions')
      },
      get changedFiles() {
        return changes().length
      },
      reviews: [],
      threads: [],
      reviewRequests: [],
      get hasConflicts() {
        return hasConflicts(git, pull)
      },
      get isBehind() {
        return isBehind(git, pull)
      },
    }
    const changes = () => git.changesSinceFork(pull.base.sha, pull.head.sha)
    repository.items.set(pull.number, pull)
    this.#all.push(pull)
    return this.#registry.register(pull)
  }

  /** The commits of the head that are not in the base, oldest first. */
  commitsOf({ repository, base, head }: PullRequest): Commit[] {
    const missing = missingFrom(this.#git.of(repository).objects, base.sha, head.sha)
    return missing.toReversed().map(oid => this.#git.commitAt(repository, oid))
  }

  /** The changed files. */
  changesOf({ repository, base, head }: PullRequest): readonly FileChange[] {
    return this.#git.of(repository).changesSinceFork(base.sha, head.sha)
  }

  /** Changes the base branch of an open pull request. */
  retarget(pull: PullRequest, name: string): void {
    const problem = { resource: 'PullRequest', field: 'base', code: 'invalid' } as const
    const tip = this.#git.branch(pull.repository, name)?.oid
    if (tip === undefined) throw invalid('Base ref must be a branch', problem)
    if (pull.state === 'closed') {
      throw invalid('Cannot change the base branch of a closed pull request.', problem)
    }
    pull.base = { repository: pull.repository, name, sha: tip }
    pull.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  /** Gives the open pull requests of a renamed branch its new name as their base. */
  retargetAll(repository: Repository, from: string, to: string): void {
    for (const pull of this.#all) {
      const { base, state } = pull
      if (state !== 'open' || base.repository !== repository || base.name !== from) continue
      pull.base = { ...base, name: to }
    }
  }

  /** Merges the head into the base. Conflicts leave everything unchanged. */
  merge(pull: PullRequest, actor: User, options: MergeOptions = {}): MergeOutcome {
    const { method = 'merge', now = this.#registry.timestamp() } = options
    const outcome = this.#git.merge(pull.repository, {
      into: pull.base.name,
      head: pull.head.sha,
      by: actor,
      method,
      message: messageOf(pull, method, options),
      date: now,
    })
    if (!outcome.ok) return outcome
    Object.assign(pull, {
      state: 'closed',
      closedAt: now,
      closedBy: actor,
      mergedAt: now,
      mergedBy: actor,
      mergeCommitSha: outcome.oid,
      autoMerge: null,
      queueEntry: null,
      updatedAt: now,
    } satisfies Partial<PullRequest>)
    this.#registry.recordWrite()
    return outcome
  }

  #baseBranch(repository: Repository, fields: NewPullRequest): Branch {
    const name = fields.base ?? repository.defaultBranch
    const tip = this.#git.branch(repository, name)?.oid ?? this.#git.of(repository).head
    if (tip === undefined) throw new Error('a pull request needs a base that has commits')
    if (!this.#git.branch(repository, name)) {
      this.#git.createRef(repository, `refs/heads/${name}`, tip)
    }
    return { repository, name, sha: tip }
  }

  #headBranch(base: Branch, fields: NewPullRequest, date: Timestamp): Branch {
    const repository = fields.headRepository ?? base.repository
    const { head: name, title, author } = fields
    const changes = fields.changes ?? { [`notes/${name}.md`]: `# ${title}\n` }
    const sha =
      this.#git.branch(repository, name)?.oid ??
      this.#git.commit(repository, {
        branch: name,
        from: base.sha,
        author,
        message: title,
        changes,
        date,
      }).oid
    return { repository, name, sha }
  }

  /** Updates open pull requests after a push to their head branch. Deleting the branch closes them. */
  #follow(repository: Repository, ref: string, oid: Oid | null): void {
    for (const pull of this.#all) {
      const { head, base } = pull
      if (head.repository !== repository || ref !== `refs/heads/${head.name}`) continue
      if (pull.state !== 'open') continue
      const now = this.#registry.timestamp()
      if (oid === null) Object.assign(pull, { state: 'closed', closedAt: now, updatedAt: now })
      else {
        pull.head = { ...head, sha: oid }
        pull.base = { ...base, sha: this.#git.branch(base.repository, base.name)?.oid ?? base.sha }
        pull.updatedAt = now
      }
    }
  }
}

export interface MergeOptions {
  method?: MergeMethod
  /** The headline of the commit; GitHub writes one if it is left out. */
  subject?: string | undefined
  body?: string | undefined
  now?: Timestamp
}

function messageOf(pull: PullRequest, method: MergeMethod, options: MergeOptions): string {
  const { head, number, title } = pull
  const isSquash = method === 'squash'
  const from = `${head.repository.owner.login}/${head.name}`
  const usual = isSquash ? `${title} (#${number})` : `Merge pull request #${number} from ${from}`
  const { subject = usual, body = isSquash ? '' : title } = options
  return body ? `${subject}\n\n${body}` : subject
}
