import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCase, ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, repositoryIn, times } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }

/** Keys and branches with characters that mean something in a query. */
const hostile = [
  { key: 'npm-a#1', ref: 'refs/heads/feature#1' },
  { key: 'npm-a%231&ref=x', ref: 'refs/heads/100%' },
  { key: 'pip c+d e 🚂', ref: 'refs/heads/c+d' },
]

function addCaches(store: Store): void {
  for (const each of hostile) {
    store.administration.addCache({ repository: repositoryIn(store), size: 512, ...each })
  }
}

const caches = (store: Store) =>
  store.administration.cachesOf(repositoryIn(store)).map(({ key }) => key)

const keysOf = (data: { items: { key: string }[] }) => data.items.map(({ key }) => key)

const byKey = hostile.map(
  ({ key }): ParityCase => ({
    input: { ...hello, key },
    given: addCaches,
    answers: { look: data => keysOf(data as { items: { key: string }[] }), see: [key] },
  }),
)

const byRef = hostile.map(
  ({ key, ref }): ParityCase => ({
    input: { ...hello, ref },
    given: addCaches,
    answers: { look: data => keysOf(data as { items: { key: string }[] }), see: [key] },
  }),
)

function addWebhook(store: Store): void {
  store.administration.addWebhook({
    repository: repositoryIn(store),
    url: 'https://example.test/hook?a=1#b',
    events: ['push', 'pull_request'],
  })
}

const webhook = (store: Store): Input => ({
  ...hello,
  webhookId: store.administration.webhooksOf(repositoryIn(store))[0]?.databaseId,
})

export const cases: ParityCases = {
  'workflow.caches.list': [
    { input: hello, title: 'three', given: addCaches },
    ...byKey,
    ...byRef,
    { input: hello, title: 'none' },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: { ...hello, ref: 'refs/heads/a b' }, fails: 'VALIDATION' },
  ],
  'workflow.cache.delete': [
    {
      title: 'one of three',
      given: addCaches,
      input: store => ({
        ...hello,
        cacheId: store.administration.cachesOf(repositoryIn(store))[0]?.databaseId,
      }),
      leaves: { look: caches, see: ['npm-a%231&ref=x', 'npm-a#1'] },
    },
    { input: { ...hello, cacheId: 404 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, cacheId: 404 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'repo.webhooks.list': [
    { input: hello, title: 'none' },
    { input: hello, title: 'one', given: addWebhook },
    { input: foreign, title: 'without the right to', given: addForeign, fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.webhook.ping': [
    {
      input: webhook,
      title: 'one',
      given: addWebhook,
      leaves: {
        look: store => store.administration.webhooksOf(repositoryIn(store))[0]?.pings,
        see: 1,
      },
    },
    { input: { ...hello, webhookId: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'workflow.caches.list': {
    given: store =>
      times(231, number => {
        const repository = repositoryIn(store)
        store.administration.addCache({
          repository,
          size: 1,
          key: `k-${number}`,
          ref: 'refs/heads/main',
        })
      }),
    input: hello,
    count: 231,
  },
  'repo.webhooks.list': {
    given: store =>
      times(231, number => {
        const url = `https://example.test/${number}`
        store.administration.addWebhook({ repository: repositoryIn(store), url, events: ['push'] })
      }),
    input: hello,
    count: 231,
  },
}
