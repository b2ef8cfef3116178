import type { Notification } from '../store/notifications.ts'
import type { Answer, RestCall, RouteTable } from './call.ts'
import { issueUrl, pullUrl, repositoryUrl } from './json/api-urls.ts'
import { repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

const MAX_PAGE = 50

export const notificationRoutes: RouteTable = {
  'GET /notifications': listNotifications,
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
