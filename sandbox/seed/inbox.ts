import type { Repository, User } from '../store/entities.ts'
import type { Notification } from '../store/notifications.ts'
import type { Store } from '../store/store.ts'

/** octocat's inbox: two unread threads, one unread from a watched repository, and one read. */
export function seedInbox(store: Store, hello: Repository, octocat: User): void {
  const about = (number: number, reason: Notification['reason'], day: number, readDay?: number) => {
    const subject = hello.items.get(number)
    if (!subject) throw new Error(`the seed has no item ${number}`)
    store.notifications.add({
      user: octocat,
      subject,
      reason,
      updatedAt: date(day),
      ...(readDay !== undefined && { readAt: date(readDay) }),
    })
  }
  about(1, 'assign', 11, 12)
  about(4, 'review_requested', 13)
  about(2, 'mention', 14)
  about(7, 'subscribed', 15)
}

function date(day: number): string {
  return `2026-01-${day}T09:00:00Z`
}
