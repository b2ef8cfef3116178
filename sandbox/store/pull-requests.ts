import type { PullRequest, Repository, Timestamp, User } from './entities.ts'
import { type NewConversation, newConversation } from './issues.ts'
import { fakeSha, type Registry } from './registry.ts'

export interface NewPullRequest extends NewConversation {
  head: string
  base?: string
  isDraft?: boolean
  commitCount?: number
  additions?: number
  deletions?: number
  changedFiles?: number
}

export class PullRequests {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewPullRequest): PullRequest {
    const conversation = newConversation(this.#registry, repository, fields)
    const base = fields.base ?? repository.defaultBranch
    const pull: PullRequest = {
      kind: 'PullRequest',
      ...this.#registry.identify('PullRequest', repository),
      ...conversation,
      issueDatabaseId: this.#registry.nextId(),
      isDraft: fields.isDraft ?? false,
      base: { repository, name: base, sha: fakeSha(repository.databaseId, base) },
      head: {
        repository,
        name: fields.head,
        sha: fakeSha(repository.databaseId, fields.head, conversation.number),
      },
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      commitCount: fields.commitCount ?? 1,
      additions: fields.additions ?? 1,
      deletions: fields.deletions ?? 0,
      changedFiles: fields.changedFiles ?? 1,
    }
    repository.items.set(pull.number, pull)
    return this.#registry.register(pull)
  }

  merge(pull: PullRequest, actor: User, now: Timestamp = this.#registry.timestamp()): void {
    Object.assign(pull, {
      state: 'closed',
      closedAt: now,
      closedBy: actor,
      mergedAt: now,
      mergedBy: actor,
      mergeCommitSha: fakeSha(pull.head.sha, 'merge'),
      updatedAt: now,
    } satisfies Partial<PullRequest>)
    this.#registry.recordWrite()
  }
}
