import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hello, repositoryIn } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function list(id: string, input: object, route: string) {
  const { body } = await gateway.call(id, input, { query: { route } })
  return body.data as { items: unknown[]; pageInfo: unknown }
}

const END = { hasNextPage: false, endCursor: null }

const lists = [
  ['pr.list', hello],
  ['issue.list', hello],
  ['repo.labels.list', hello],
  ['repo.commits.list', hello],
  ['release.list', hello],
  ['search.issues', { query: 'repo:octo-org/hello-world is:pr' }],
] as const

describe.each(['rest', 'graphql', 'cli'])('a list that fills its only page, by %s', route => {
  test.each(lists)('%s', async (id, input) => {
    const all = await list(id, { ...input, first: 100 }, route)
    expect(all).toMatchObject({ pageInfo: END })
    const count = all.items.length
    expect(count).toBeGreaterThan(1)
    const full = await list(id, { ...input, first: count }, route)
    expect(full).toMatchObject({ items: all.items, pageInfo: END })
    const short = await list(id, { ...input, first: count - 1 }, route)
    expect(short).toMatchObject({ pageInfo: { hasNextPage: true } })
  })
})

test('a page that came since is not lost, although GitHub says that the one before is unchanged', async () => {
  const { items } = await list('repo.labels.list', { ...hello, first: 100 }, 'rest')
  const input = { ...hello, first: items.length }
  expect(await list('repo.labels.list', input, 'rest')).toMatchObject({ pageInfo: END })
  const { store } = gateway.sandbox
  store.labels.add(repositoryIn(store, hello), { name: 'zebra' })
  expect(await list('repo.labels.list', input, 'rest')).toMatchObject({
    items,
    pageInfo: { hasNextPage: true },
  })
})
