import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ParityCase, ParityCases } from '../../case.ts'
import { hello, userIn } from '../../worlds.ts'

const inbox = (store: Store) => store.notifications.of(userIn(store))

/** The most recently updated thread, or the one at another place. */
const thread =
  (more: Input = {}, index = 0) =>
  (store: Store): Input => ({ threadId: inbox(store)[index]?.id, ...more })

const mute = (store: Store): void => {
  const [first] = inbox(store)
  if (first) store.notifications.subscribe(first, true)
}

const unread = (store: Store) => inbox(store).filter(({ isUnread }) => isUnread).length

const refused: readonly ParityCase[] = [
  { input: { threadId: '404' }, title: 'no thread', fails: 'NOT_FOUND' },
  { input: { threadId: '1/../2' }, fails: 'VALIDATION' },
]

export const cases: ParityCases = {
  'notifications.thread.view': [
    { input: thread(), title: 'about an issue' },
    { input: thread({}, 2), title: 'about a pull request' },
    { input: thread({}, 3), title: 'a read one' },
    ...refused,
  ],
  'notifications.thread.read': [
    { input: thread(), title: 'an unread one', leaves: { look: unread, see: 2 } },
    { input: thread({}, 3), title: 'a read one', leaves: { look: unread, see: 3 } },
    ...refused,
  ],
  'notifications.thread.done': [
    {
      input: thread(),
      title: 'an unread one',
      leaves: { look: store => inbox(store).length, see: 3 },
    },
    ...refused,
  ],
  'notifications.read_all': [
    { input: { lastReadAt: '2026-02-01T00:00:00Z' }, leaves: { look: unread, see: 0 } },
    { input: { lastReadAt: '2026-01-14T12:00:00Z' }, leaves: { look: unread, see: 1 } },
    { input: { lastReadAt: 'now' }, fails: 'VALIDATION' },
  ],
  'repo.notifications.read_all': [
    { input: { ...hello, lastReadAt: '2026-02-01T00:00:00Z' }, leaves: { look: unread, see: 0 } },
    {
      input: { owner: 'octocat', name: 'spoon-knife', lastReadAt: '2026-02-01T00:00:00Z' },
      title: 'a repository without any',
      leaves: { look: unread, see: 3 },
    },
    {
      input: { owner: 'octo-org', name: 'nothing-here', lastReadAt: '2026-02-01T00:00:00Z' },
      fails: 'NOT_FOUND',
    },
  ],
  'notifications.thread.subscription.view': [
    { input: thread(), title: 'not followed' },
    { input: thread(), title: 'muted', given: mute },
    ...refused,
  ],
  'notifications.thread.subscription.set': [
    { input: thread(), title: 'follow' },
    { input: thread({ ignored: true }), title: 'mute' },
    { input: thread(), title: 'follow a muted one', given: mute },
    ...refused,
  ],
  'notifications.thread.subscription.delete': [
    { input: thread(), title: 'of a muted one', given: mute },
    { input: thread(), title: 'of one that is not followed' },
    ...refused,
  ],
}
