import type { IssueOrPull, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

export type NotificationReason =
  | 'assign'
  | 'author'
  | 'comment'
  | 'mention'
  | 'review_requested'
  | 'subscribed'

/** A thread in a user's inbox. Only the REST API has notifications, so they are not nodes. */
export interface Notification {
  readonly id: string
  readonly user: User
  readonly subject: IssueOrPull
  readonly reason: NotificationReason
  isUnread: boolean
  updatedAt: Timestamp
  lastReadAt: Timestamp | null
}

export type NewNotification = Pick<Notification, 'user' | 'subject' | 'reason'> & {
  updatedAt?: Timestamp
  /** When it was read. Leave out for an unread notification. */
  readAt?: Timestamp
}

export class Notifications {
  readonly #registry: Registry
  readonly #all: Notification[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add({ user, subject, reason, updatedAt, readAt }: NewNotification): Notification {
    const notification: Notification = {
      id: String(this.#registry.nextId()),
      user,
      subject,
      reason,
      isUnread: readAt === undefined,
      updatedAt: updatedAt ?? this.#registry.timestamp(),
      lastReadAt: readAt ?? null,
    }
    this.#all.push(notification)
    this.#registry.recordWrite()
    return notification
  }

  /** Most recently updated first. */
  of(user: User): Notification[] {
    return this.#all
      .filter(notification => notification.user === user)
      .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || Number(b.id) - Number(a.id))
  }

  all(): readonly Notification[] {
    return this.#all
  }
}
