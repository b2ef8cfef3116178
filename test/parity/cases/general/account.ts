import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { issueIn, times, userIn } from '../../worlds.ts'

export const cases: ParityCases = {
  'viewer.view': [{ input: {} }],
  'user.view': [
    { input: { login: 'octocat' } },
    { input: { login: 'Mallory' }, title: 'one whose repositories are out of sight' },
    {
      title: 'a full profile',
      given: store => {
        store.accounts.addUser({
          login: 'ada',
          name: 'Ada',
          bio: 'Counts.',
          company: '@octo-org',
          location: 'London',
        })
      },
      input: { login: 'ada' },
    },
    { input: { login: 'octo-org' }, title: 'an organisation', fails: 'NOT_FOUND' },
    { input: { login: 'nobody-at-all' }, fails: 'NOT_FOUND' },
  ],
  'rate_limit.view': [{ input: {} }],
  'notifications.list': [
    { input: {} },
    { input: { all: true, first: 2 } },
    { input: { participating: true } },
    { input: { since: '2026-01-14T00:00:00Z' } },
    { input: { before: '2026-01-01T00:00:00Z' }, title: 'an empty list' },
    { input: { since: 'yesterday' }, fails: 'VALIDATION' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has three unread notifications.
  'notifications.list': {
    given: store =>
      times(227, () => {
        const subject = issueIn(store, 1)
        store.notifications.add({ user: userIn(store), subject, reason: 'comment' })
      }),
    input: {},
    count: 230,
  },
}
