import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import { collectCases } from '../parity/collect.ts'
import { type BatchResult, sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const relations = (issueNumber: number) => ({
  capability: 'issue.relations.view',
  input: { ...repo, issueNumber },
})
const byGraphql = (name: string) => ({
  capability: 'repo.view',
  input: { ...repo, name },
  route: 'graphql',
})
const { cases } = await collectCases()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const send = (calls: unknown, options = {}) => sendBatch(gateway, { calls }, options)
const sent = (route: 'rest' | 'graphql') =>
  gateway.sandbox.log.rows().filter(row => row.route === route)
const attempts = ({ envelope }: BatchResult) => envelope.meta.attempts

describe('reads that go by GraphQL', () => {
  test('are one request, and each call has its own attempt', async () => {
    const { body, results } = await send([
      relations(1),
      relations(2),
      byGraphql('hello-world'),
      { capability: 'pr.merge.status', input: { ...repo, prNumber: 4 } },
    ])
    expect(body.data.status).toBe('success')
    expect(sent('graphql')).toMatchObject([{ operation: 'SignalboxBatch' }])
    expect(sent('rest')).toEqual([])
    for (const result of results) {
      expect(attempts(result).filter(({ status }) => status !== 'skipped')).toMatchObject([
        { route: 'graphql', status: 'success', shared_by: 4, duration_ms: expect.any(Number) },
      ])
    }
    const { body: record } = await gateway.get(`/v1/requests/${results[0]?.request_id}`)
    expect(record.data.meta.attempts).toContainEqual(expect.objectContaining({ shared_by: 4 }))
  })

  test('share a request, and reads that prefer REST go by REST', async () => {
    const view = { capability: 'repo.view', input: repo }
    const { results } = await send([relations(1), view, relations(2)])
    expect(results.map(({ envelope }) => envelope.meta.route_used)).toEqual([
      'graphql',
      'rest',
      'graphql',
    ])
    expect(sent('graphql')).toHaveLength(1)
    expect(sent('rest')).toHaveLength(1)
  })

  test('fail one by one', async () => {
    const { body, results } = await send([relations(1), byGraphql('nowhere'), relations(9999)])
    expect(body.data).toMatchObject({ status: 'partial', succeeded: 1, failed: 2 })
    expect(results.map(({ envelope }) => envelope.error?.code)).toEqual([
      undefined,
      'NOT_FOUND',
      'NOT_FOUND',
    ])
    expect(results[1]?.envelope.error.details.path).toBe('repository')
    expect(sent('graphql')).toHaveLength(1)
  })

  test('include reads that fall back to GraphQL', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
    const view = (issueNumber: number) => ({
      capability: 'issue.view',
      input: { ...repo, issueNumber },
    })
    const { results } = await send([view(1), view(2), view(3)])
    expect(results.map(({ envelope }) => envelope.meta.reason)).toEqual(
      Array(3).fill('CARD_FALLBACK'),
    )
  })

  test('succeed although the service refuses one of them', async () => {
    const bad = {
      capability: 'graphql.query',
      input: { query: '{ viewer { loginn } }' },
      route: 'graphql',
    }
    const { results } = await send([relations(1), bad, relations(2)])
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(results[1]?.envelope.error).toMatchObject({ code: 'VALIDATION' })
    // The shared request, and then one for each call.
    expect(sent('graphql')).toHaveLength(4)
    expect(attempts(results[0] as BatchResult)).toContainEqual(
      expect.objectContaining({ status: 'success', upstream_requests: 2 }),
    )
  })

  test('that all fail with their shared request count as one failure of the service', async () => {
    await using own = await startTestGateway({ settings: { retries: 0 } })
    own.sandbox.faults.set([{ on: { route: 'graphql' }, do: { status: 502 } }])
    const calls = [1, 2, 3, 5, 6, 7].map(number => ({ ...relations(number), route: 'graphql' }))
    const { body, results } = await sendBatch(own, { calls })
    expect(body.data.status).toBe('failed')
    expect(results.map(({ envelope }) => envelope.error.code)).toEqual(Array(6).fill('SERVER'))
    const { body: upstreams } = await own.get('/v1/upstreams')
    const github = upstreams.data.items.find(({ id }: { id: string }) => id === 'github')
    const graphql = github.routes.find(({ route }: { route: string }) => route === 'graphql')
    expect(graphql.breaker).toMatchObject({ state: 'closed', failures: 1 })
  })

  test('are not cut off by the one with the shortest timeout', async () => {
    // The answer comes after the shorter timeout.
    gateway.sandbox.faults.set([{ on: { route: 'graphql' }, do: { delay_ms: 600 } }])
    const hasty = { ...relations(1), route: 'graphql', timeout_ms: 200 }
    const { results } = await send([hasty, { ...relations(2), route: 'graphql' }])
    expect(results.map(({ envelope }) => envelope.error?.code)).toEqual(['TIMEOUT', undefined])
    expect(sent('graphql')).toHaveLength(1)
  })

  test('do not include writes', async () => {
    const create = (title: string) => ({
      capability: 'issue.create',
      input: { ...repo, title },
      route: 'graphql',
    })
    const { body } = await send([create('One'), relations(5), create('Two')])
    expect(body.data.status).toBe('success')
    const changes = sent('graphql').filter(({ applied }) => applied)
    expect(changes.map(({ operation }) => operation)).toEqual(['IssueCreate', 'IssueCreate'])
  })
})

/** The first case of each read that works by GraphQL on the seeded world. */
function readsOf(all: readonly Card[]) {
  return all.flatMap(card => {
    const hasRoute = card.routes.some(({ route }) => route === 'graphql')
    const own = (cases.get(card.id) ?? []).filter(it => !it.given && !it.except?.graphql)
    if (card.effect !== 'read' || !hasRoute) return []
    return own.slice(0, 1).map(({ input }) => ({
      capability: card.id,
      input: typeof input === 'function' ? input(gateway.sandbox.store) : input,
      route: 'graphql',
    }))
  })
}

test('every read of the GitHub pack returns the same in a batch as alone', async () => {
  const calls = readsOf(gateway.engine.catalog.all())
  expect(calls.length).toBeGreaterThan(20)
  const batches = [calls.slice(0, 50), calls.slice(50)].filter(({ length }) => length > 0)
  const results = []
  for (const batch of batches) results.push(...(await send(batch)).results)
  const requests = sent('graphql').length
  for (const [index, { capability, input, route }] of calls.entries()) {
    const { body } = await gateway.call(capability, input, { query: { route } })
    const { envelope } = results[index] as BatchResult
    expect([capability, envelope.data]).toEqual([capability, body.data])
    expect([capability, envelope.error?.code]).toEqual([capability, body.error?.code])
  }
  const alone = sent('graphql').length - requests
  expect(alone).toBeGreaterThanOrEqual(calls.length)
  // Lookups, calls and further pages take a few rounds, whatever the number of calls.
  expect(requests).toBeLessThanOrEqual(batches.length * 5)
})
