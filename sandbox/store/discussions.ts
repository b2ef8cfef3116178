import type { Discussion, DiscussionCategory, DiscussionComment } from './discussion-entities.ts'
import type { Repository, Timestamp, User } from './entities.ts'
import { Refusal, requireBody } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewDiscussion {
  category: DiscussionCategory
  author: User
  title: string
  body: string
  createdAt?: Timestamp
}

export interface NewDiscussionComment {
  author: User
  body: string
  replyTo?: DiscussionComment | null
  createdAt?: Timestamp
}

type NewCategory = Pick<DiscussionCategory, 'name' | 'slug' | 'emoji' | 'isAnswerable'>

/** Discussions share their numbers with issues and pull requests. */
export class Discussions {
  readonly #registry: Registry
  readonly #categories = new Map<Repository, DiscussionCategory[]>()
  readonly #discussions = new Map<Repository, Discussion[]>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  addCategory(repository: Repository, fields: NewCategory): DiscussionCategory {
    const createdAt = repository.createdAt
    const category: DiscussionCategory = {
      kind: 'DiscussionCategory',
      ...this.#registry.identify('DiscussionCategory', repository),
      repository,
      description: null,
      createdAt,
      updatedAt: createdAt,
      ...fields,
    }
    repository.hasDiscussions = true
    this.#categories.set(repository, [...this.categories(repository), category])
    return this.#registry.register(category)
  }

  add({ category, author, title, body, ...fields }: NewDiscussion): Discussion {
    const { repository } = category
    requireBody('Discussion', title)
    requireBody('Discussion', body)
    repository.lastNumber += 1
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const discussion: Discussion = {
      kind: 'Discussion',
      ...this.#registry.identify('Discussion', repository),
      repository,
      category,
      number: repository.lastNumber,
      title,
      body,
      author,
      comments: [],
      answer: null,
      answeredBy: null,
      answeredAt: null,
      closedAt: null,
      createdAt,
      updatedAt: createdAt,
    }
    this.#discussions.set(repository, [...this.of(repository), discussion])
    return this.#registry.register(discussion)
  }

  comment(discussion: Discussion, fields: NewDiscussionComment): DiscussionComment {
    requireBody('DiscussionComment', fields.body)
    const { repository } = discussion
    const { author, body, replyTo = null } = fields
    if (replyTo && replyTo.discussion !== discussion)
      throw new Refusal('unprocessable', 'Parent comment does not belong to the discussion')
    if (replyTo?.replyTo) throw new Refusal('unprocessable', 'Parent comment is a reply itself')
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const comment: DiscussionComment = {
      kind: 'DiscussionComment',
      ...this.#registry.identify('DiscussionComment', repository),
      repository,
      discussion,
      replyTo,
      replies: [],
      author,
      body,
      createdAt,
      updatedAt: createdAt,
    }
    const siblings = replyTo ? replyTo.replies : discussion.comments
    siblings.push(comment)
    discussion.updatedAt = createdAt
    return this.#registry.register(comment)
  }

  /** Marks a comment as the answer, in place of any other, or (null) takes the answer back. */
  answer(discussion: Discussion, comment: DiscussionComment | null, by: User): void {
    if (comment && !discussion.category.isAnswerable) {
      throw new Refusal('unprocessable', 'Discussion category does not support answers')
    }
    if (comment !== discussion.answer) {
      const at = this.#registry.timestamp()
      discussion.answer = comment
      discussion.answeredBy = comment && by
      discussion.answeredAt = comment && at
      discussion.updatedAt = at
    }
    this.#registry.recordWrite()
  }

  categories(repository: Repository): readonly DiscussionCategory[] {
    return this.#categories.get(repository) ?? []
  }

  of(repository: Repository): readonly Discussion[] {
    return this.#discussions.get(repository) ?? []
  }

  all(): (DiscussionCategory | Discussion)[] {
    return [...this.#categories.values(), ...this.#discussions.values()].flat()
  }
}
