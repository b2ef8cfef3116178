import type {
  Issue,
  IssueOrPull,
  IssueType,
  Label,
  LinkedBranch,
  LockReason,
  Milestone,
  Repository,
  StateReason,
  Timestamp,
  User,
} from './entities.ts'
import { inOrder } from './labels.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Registry } from './registry.ts'

const MAX_TITLE = 256
const MAX_BODY = 65_536
const MAX_ASSIGNEES = 10
const MAX_PINNED = 3

export interface NewConversation {
  title: string
  author: User
  body?: string | null
  labels?: Label[]
  assignees?: User[]
  milestone?: Milestone | null
  type?: IssueType | null
  createdAt?: Timestamp
}

export interface ConversationChanges {
  title?: string
  body?: string | null
  labels?: Label[]
  assignees?: User[]
  milestone?: Milestone | null
  /** Pull requests have none. */
  type?: IssueType | null
}

export interface Closing {
  reason?: StateReason | undefined
  /** @default now */
  at?: Timestamp
}

/** Issues, and the operations that issues and pull requests share: editing, closing, reopening. */
export class Issues {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewConversation): Issue {
    const issue: Issue = {
      kind: 'Issue',
      ...this.#registry.identify('Issue', repository),
      ...newConversation(this.#registry, repository, fields),
      stateReason: null,
      type: fields.type ?? null,
      parent: null,
      subIssues: [],
      blockedBy: [],
      linkedBranches: [],
    }
    repository.items.set(issue.number, issue)
    return this.#registry.register(issue)
  }

  update(item: IssueOrPull, changes: ConversationChanges): void {
    checkTexts(changes)
    const { body, labels, ...others } = changes
    Object.assign(item, others, {
      ...(body !== undefined && { body: body || null }),
      ...(labels && { labels: inOrder(labels) }),
    })
    this.#touch(item)
  }

  /** Closing a closed item changes only the reason, if one is given. */
  close(item: IssueOrPull, actor: User, { reason, at }: Closing = {}): void {
    const wasOpen = item.state === 'open'
    if (wasOpen) {
      item.state = 'closed'
      item.closedAt = at ?? this.#registry.timestamp()
      item.closedBy = actor
    }
    if (item.kind === 'Issue' && (wasOpen || reason)) item.stateReason = reason ?? 'completed'
    this.#touch(item, at)
  }

  reopen(item: IssueOrPull): void {
    if (item.kind === 'PullRequest' && item.mergedAt !== null) {
      throw invalid('Could not open the pull request.', {
        resource: 'PullRequest',
        field: 'state',
        code: 'invalid',
      })
    }
    if (item.state === 'closed') {
      item.state = 'open'
      item.closedAt = null
      item.closedBy = null
      if (item.kind === 'Issue') item.stateReason = 'reopened'
    }
    this.#touch(item)
  }

  /** An item has at most ten assignees, in the order in which they were added. */
  assign(item: IssueOrPull, users: readonly User[]): void {
    item.assignees = [...new Set([...item.assignees, ...users])].slice(0, MAX_ASSIGNEES)
    this.#touch(item)
  }

  unassign(item: IssueOrPull, users: readonly User[]): void {
    item.assignees = item.assignees.filter(user => !users.includes(user))
    this.#touch(item)
  }

  lock(item: IssueOrPull, reason: LockReason | null): void {
    item.isLocked = true
    item.lockReason = reason
    this.#touch(item)
  }

  unlock(item: IssueOrPull): void {
    item.isLocked = false
    item.lockReason = null
    this.#touch(item)
  }

  /** A repository has at most three pinned issues, in the order in which they were pinned. */
  pin(issue: Issue): void {
    const { pinned } = issue.repository
    if (pinned.includes(issue)) return
    if (pinned.length >= MAX_PINNED) {
      throw new Refusal('unprocessable', `Maximum ${MAX_PINNED} pinned issues per repository`)
    }
    pinned.push(issue)
    this.#registry.recordWrite()
  }

  unpin(issue: Issue): void {
    const { repository } = issue
    repository.pinned = repository.pinned.filter(it => it !== issue)
    this.#registry.recordWrite()
  }

  /** Links a branch to an issue. */
  link(issue: Issue, repository: Repository, ref: string): LinkedBranch {
    const identity = this.#registry.identify('LinkedBranch', repository)
    const linked = { ...identity, repository, ref }
    issue.linkedBranches.push(linked)
    this.#registry.recordWrite()
    return linked
  }

  /** Deletes an issue. Its number is not reused. */
  delete(issue: Issue): void {
    this.unpin(issue)
    issue.repository.items.delete(issue.number)
    for (const comment of issue.comments) this.#registry.unregister(comment)
    this.#registry.unregister(issue)
  }

  #touch(item: IssueOrPull, at = this.#registry.timestamp()): void {
    item.updatedAt = at
    this.#registry.recordWrite()
  }
}

/** The shared fields of a new issue or pull request. Takes the repository's next number. */
export function newConversation(
  registry: Registry,
  repository: Repository,
  fields: NewConversation,
) {
  checkTexts(fields)
  const createdAt = fields.createdAt ?? registry.timestamp()
  repository.lastNumber += 1
  return {
    repository,
    number: repository.lastNumber,
    title: fields.title,
    body: fields.body || null,
    author: fields.author,
    state: 'open' as const,
    labels: inOrder(fields.labels ?? []),
    assignees: fields.assignees ?? [],
    milestone: fields.milestone ?? null,
    comments: [],
    reactions: [],
    isLocked: false,
    lockReason: null,
    closedBy: null,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
  }
}

/** Refuses a blank title, and texts longer than GitHub allows. */
export function checkTexts({ title, body }: Pick<ConversationChanges, 'title' | 'body'>): void {
  const problem = { resource: 'Issue', code: 'custom' } as const
  if (title?.trim() === '') {
    throw invalid("Title can't be blank", {
      resource: 'Issue',
      field: 'title',
      code: 'missing_field',
    })
  }
  if (title !== undefined && title.length > MAX_TITLE) {
    const message = `title is too long (maximum is ${MAX_TITLE} characters)`
    throw invalid(`Title is too long (maximum is ${MAX_TITLE} characters)`, {
      ...problem,
      field: 'title',
      message,
    })
  }
  if (body && body.length > MAX_BODY) {
    const message = `body is too long (maximum is ${MAX_BODY} characters)`
    throw invalid(`Body is too long (maximum is ${MAX_BODY} characters)`, {
      ...problem,
      field: 'body',
      message,
    })
  }
}
