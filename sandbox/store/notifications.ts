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
  /** A thread that is done is out of the inbox. */
  isDone: boolean
  subscription: ThreadSubscription | null
}

export interface ThreadSubscription {
  readonly ignored: boolean
  readonly createdAt: Timestamp
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
      isDone: false,
      subscription: null,
    }
    this.#all.push(notification)
    this.#registry.recordWrite()
    return notification
  }

  find(user: User, id: string): Notification | undefined {
    return this.#all.find(it => it.user === user && it.id === id)
  }

  markRead(notification: Notification): void {
    if (!notification.isUnread) return
    notification.isUnread = false
    notification.lastReadAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  markDone(notification: Notification): void {
    if (notification.isDone) return
    notification.isDone = true
    this.#registry.recordWrite()
  }

  /** @param ignored Whether the thread is muted; null ends the subscription. */
  subscribe(notification: Notification, ignored: boolean | null): void {
    const { subscription } = notification
    if ((subscription?.ignored ?? null) === ignored) return
    const createdAt = subscription?.createdAt ?? this.#registry.timestamp()
    notification.subscription = ignored === null ? null : { ignored, createdAt }
    this.#registry.recordWrite()
  }

  /** Most recently updated first. */
  of(user: User): Notification[] {
    return this.#all
      .filter(notification => notification.user === user && !notification.isDone)
      .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || Number(b.id) - Number(a.id))
  }

  all(): readonly Notification[] {
    return this.#all
  }
}
