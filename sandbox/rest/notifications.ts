import type { Notification } from '../store/notifications.ts'
import { optionalFlag, optionalText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, validationFailed } from './errors.ts'
import { issueUrl, pullUrl, repositoryUrl } from './json/api-urls.ts'
import { repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

const MAX_PAGE = 50
const thread = '/notifications/threads/:thread'

export const notificationRoutes: RouteTable = {
  'GET /notifications': listNotifications,
  'PUT /notifications': call => markAllRead(call, () => true),
  'PUT /repos/:owner/:repo/notifications': call => {
    const repository = repositoryOf(call)
    return markAllRead(call, ({ subject }) => subject.repository === repository)
  },
  [`GET ${thread}`]: call => ok(notificationJson(threadOf(call), call)),
  [`PATCH ${thread}`]: call => {
    call.store.notifications.markRead(threadOf(call))
    return { status: 205 }
  },
  [`DELETE ${thread}`]: call => {
    call.store.notifications.markDone(threadOf(call))
    return noContent()
  },
  [`GET ${thread}/subscription`]: call => ok(subscriptionJson(threadOf(call), call)),
  [`PUT ${thread}/subscription`]: call => {
    const notification = threadOf(call)
    call.store.notifications.subscribe(notification, optionalFlag(call.body, 'ignored') ?? false)
    return ok(subscriptionJson(notification, call))
  },
  [`DELETE ${thread}/subscription`]: call => {
    call.store.notifications.subscribe(threadOf(call), null)
    return noContent()
  },
}

function threadOf({ store, viewer, params }: RestCall): Notification {
  const notification = store.notifications.find(viewer, params.thread ?? '')
  if (!notification) throw notFound()
  return notification
}

function markAllRead(call: RestCall, isMeant: (notification: Notification) => boolean): Answer {
  const until = optionalText(call.body, 'last_read_at') ?? new Date(call.store.now()).toISOString()
  const time = Date.parse(until)
  if (Number.isNaN(time)) {
    throw validationFailed({ resource: 'Notification', field: 'last_read_at', code: 'invalid' })
  }
  for (const notification of call.store.notifications.of(call.viewer).filter(isMeant)) {
    if (Date.parse(notification.updatedAt) <= time) call.store.notifications.markRead(notification)
  }
  return { status: 205 }
}

function subscriptionJson({ id, subscription }: Notification, { origin }: RestCall) {
  const url = `${origin}/notifications/threads/${id}`
  return {
    subscribed: subscription !== null && !subscription.ignored,
    ignored: subscription?.ignored ?? false,
    reason: null,
    created_at: subscription?.createdAt ?? null,
    url: `${url}/subscription`,
    thread_url: url,
  }
}

function listNotifications(call: RestCall): Answer {
  const { all, participating, since, before } = call.query
  const time = ({ updatedAt }: Notification) => Date.parse(updatedAt)
  const listed = call.store.notifications
    .of(call.viewer)
    .filter(({ isUnread }) => isUnread || all === 'true')
    .filter(({ reason }) => participating !== 'true' || reason !== 'subscribed')
    .filter(it => since === undefined || time(it) >= Date.parse(since))
    .filter(it => before === undefined || time(it) < Date.parse(before))
  return paged(call, listed, it => notificationJson(it, call), MAX_PAGE)
}

function notificationJson(notification: Notification, { origin, principal }: RestCall) {
  const { id, subject, reason, isUnread, updatedAt, lastReadAt } = notification
  const { repository, title, kind, comments } = subject
  const api = repositoryUrl(repository, origin)
  const url = kind === 'Issue' ? issueUrl(subject, origin) : pullUrl(subject, origin)
  const latest = comments.at(-1)
  const thread = `${origin}/notifications/threads/${id}`
  return {
    id,
    repository: repositoryJson(repository, origin, principal),
    subject: {
      title,
      url,
      latest_comment_url: latest ? `${api}/issues/comments/${latest.databaseId}` : url,
      type: kind,
    },
    reason,
    unread: isUnread,
    updated_at: updatedAt,
    last_read_at: lastReadAt,
    url: thread,
    subscription_url: `${thread}/subscription`,
  }
}
