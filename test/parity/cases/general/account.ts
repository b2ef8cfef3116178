import { SANDBOX_TOKEN, type Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { issueIn, times, userIn } from '../../worlds.ts'

function useUpSearches({ tokens }: Store): void {
  const quotas = tokens.find(SANDBOX_TOKEN)?.quotas
  if (!quotas) throw new Error('the seed has no token')
  tokens.setQuota(quotas.search, 0)
  tokens.setQuota(quotas.code_search, 7)
  tokens.setQuota(quotas.graphql, 100)
}

const ada = {
  login: 'ada',
  name: 'Ada',
  email: 'ada@example.test',
  bio: 'Counts.',
  company: '@octo-org',
  location: 'London',
  websiteUrl: 'https://ada.example.test/',
  twitterUsername: 'ada',
  isHireable: true,
  pronouns: 'she/her',
  status: { emoji: ':computer:', message: 'On vacation' },
}

export const cases: ParityCases = {
  'viewer.view': [{ input: {} }],
  'user.view': [
    { input: { login: 'octocat' } },
    { input: { login: 'Mallory' }, title: 'one whose repositories are out of sight' },
    {
      title: 'a full profile',
      given: store => {
        store.accounts.addUser(ada)
      },
      input: { login: 'ada', include: ['email'] },
      answers: {
        look: ({ websiteUrl, isHireable, email }) => [websiteUrl, isHireable, email],
        see: [ada.websiteUrl, true, ada.email],
      },
    },
    {
      title: 'what only GraphQL has',
      given: store => {
        store.accounts.addUser(ada)
      },
      input: { login: 'ada', include: ['pronouns', 'status'] },
      except: { rest: 'no pronouns', cli: 'no pronouns' },
      answers: {
        look: ({ pronouns, status }) => ({ pronouns, status }),
        see: { pronouns: ada.pronouns, status: ada.status },
      },
    },
    {
      input: { login: 'octocat' },
      title: 'public gists are counted',
      answers: { look: data => data.publicGistCount, see: 1 },
    },
    { input: { login: 'octo-org' }, title: 'an organisation', fails: 'NOT_FOUND' },
    { input: { login: 'nobody-at-all' }, fails: 'NOT_FOUND' },
  ],
  'rate_limit.view': [
    { input: {} },
    {
      input: {},
      title: 'each pool on its own',
      given: useUpSearches,
      answers: {
        look: ({ items }) =>
          items.map((it: Record<string, unknown>) => [it.resource, it.remaining]),
        see: [
          ['code_search', 7],
          ['core', 1_000_000],
          ['graphql', 100],
          ['search', 0],
        ],
      },
    },
  ],
  'org.view': [
    { input: { org: 'octo-org' }, answers: { look: data => data.email, see: null } },
    {
      title: 'a full profile',
      given: store => {
        store.accounts.addOrganization({
          login: 'full-org',
          name: 'Full',
          description: 'Has all of it.',
          email: 'hello@full.example.test',
          location: 'Ulm',
          websiteUrl: 'https://full.example.test/',
          twitterUsername: 'full',
          isVerified: true,
          archivedAt: '2026-02-01T00:00:00Z',
        })
      },
      input: { org: 'Full-Org' },
      answers: { look: ({ location, isVerified }) => [location, isVerified], see: ['Ulm', true] },
    },
    { input: { org: 'octocat' }, title: 'a user', fails: 'NOT_FOUND' },
    { input: { org: 'nobody-at-all' }, fails: 'NOT_FOUND' },
  ],
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
