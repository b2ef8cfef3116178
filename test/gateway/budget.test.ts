import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

const routes = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']

test.each(
  routes.flatMap(route => [
    [route, 'issue.list', { ...repo, state: 'all', first: 25 }, 30, '600'],
    [route, 'pr.list', { ...repo, state: 'all', first: 9 }, 10, '350'],
  ]) as [string, string, object, number, string][],
)(
  'by %s, the pages of a truncated %s have every item exactly once',
  async (route, id, input, total, budget) => {
    const query = { route, profile: 'budgeted', token_budget: budget }
    const seen: string[] = []
    let after: string | null = null
    let cut = 0
    do {
      const asked: object = after === null ? input : { ...input, after }
      const { body } = await gateway.call(id, asked, { query })
      const answer = body as never as {
        data: { items: { id: string }[]; pageInfo: { endCursor: string | null } }
        tokenBudget: { used: number }
        truncated: boolean
      }
      expect(answer.tokenBudget.used).toBeLessThanOrEqual(Number(budget))
      if (answer.truncated) cut++
      seen.push(...answer.data.items.map(item => item.id))
      after = answer.data.pageInfo.endCursor
    } while (after !== null && seen.length < 100)
    expect(seen).toHaveLength(total)
    expect(new Set(seen).size).toBe(total)
    expect(cut).toBeGreaterThan(0)
  },
)

test('every dialect continues a truncated list, in a header if the body has no place for it', async () => {
  const input = { ...repo, first: 20 }
  const query = { token_budget: '900', route: 'rest' }
  const ghx = await gateway.call('issue.list', input, { query: { ...query, profile: 'ghx' } })
  const [drop] = JSON.parse(ghx.headers.get('signalbox-dropped') ?? '[]') as [
    { path: string; count: number; cursor: string },
  ]
  expect(drop).toMatchObject({ path: 'items', count: 20 - ghx.body.data.items.length })
  expect(drop.cursor).toBe(ghx.body.data.pageInfo.endCursor)
  const graph = await gateway.call('issue.list', input, {
    query: { ...query, profile: 'codegraph' },
  })
  const { meta } = (graph.body as never as { data: { meta: Record<string, never> } }).data
  expect(meta).toMatchObject({ truncated: true, page: { hasMore: true }, limits: { maxItems: 20 } })
  const plain = await gateway.call('issue.list', input, { query })
  expect(plain.body.meta.warnings).toMatchObject([
    { code: 'TRUNCATED', path: 'items', details: { cursor: plain.body.data.pageInfo.endCursor } },
  ])
  expect(plain.body.meta.next?.[0]).toMatchObject({
    capability: 'issue.list',
    input: { after: plain.body.data.pageInfo.endCursor },
  })
})

test('the journal tells of an answer that did not fit the budget what its caller got', async () => {
  const { body, status, headers } = await gateway.call('repo.view', repo, {
    query: { token_budget: '100' },
  })
  expect(status).toBe(413)
  expect(body.error.code).toBe('TOO_LARGE')
  const kept = await gateway.get(`/v1/requests/${headers.get('x-request-id')}`)
  expect(kept.body.data).toMatchObject({ ok: false, code: 'TOO_LARGE', http_status: 413 })
})

test('without token_budget nothing is truncated', async () => {
  const { body } = await gateway.call('issue.list', { ...repo, state: 'all', first: 100 })
  expect(body.data.items).toHaveLength(30)
  expect(body.meta.warnings).toEqual([])
})
