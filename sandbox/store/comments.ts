import type { IssueComment, IssueOrPull, Timestamp, User } from './entities.ts'
import { requireBody } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewComment {
  author: User
  body: string
  createdAt?: Timestamp
}

export class Comments {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(subject: IssueOrPull, fields: NewComment): IssueComment {
    requireBody('IssueComment', fields.body)
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const comment: IssueComment = {
      kind: 'IssueComment',
      ...this.#registry.identify('IssueComment', subject.repository),
      subject,
      author: fields.author,
      body: fields.body,
      reactions: [],
      createdAt,
      updatedAt: createdAt,
    }
    subject.comments.push(comment)
    subject.updatedAt = createdAt
    return this.#registry.register(comment)
  }

  update(comment: IssueComment, body: string): void {
    requireBody('IssueComment', body)
    comment.body = body
    comment.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  delete(comment: IssueComment): void {
    const { subject } = comment
    subject.comments = subject.comments.filter(it => it !== comment)
    this.#registry.unregister(comment)
  }
}
