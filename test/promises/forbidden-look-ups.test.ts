import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { useTool } from './support/keyed-doors.ts'
import { headersOf, secretOf } from './support/six-keys.ts'

vi.setConfig({ testTimeout: 180_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const FORBIDDEN = 'pr.merge'
const INPUT = { ...REPO, prNumber: 4 }

/** Each way has a key of its own, because the audit records the first refusal of a kind and counts the others. */
interface Way {
  readonly key: string
  /** Returns the code that the caller gets. */
  readonly ask: (gateway: TestGateway, key: string) => Promise<unknown>
  readonly wanted: string
}

async function post(gateway: TestGateway, key: string, path: string): Promise<unknown> {
  const init = { method: 'POST', headers: headersOf(key), body: JSON.stringify(INPUT) }
  const response = await fetch(gateway.url + path, init)
  return ((await response.json()) as { error: { code: string } }).error.code
}

const tool = async (gateway: TestGateway, key: string, query: string, params: object) =>
  ((await useTool(gateway, key, query, params)) as { error: { code: string } }).error.code

const WAYS: Readonly<Record<string, Way>> = {
  'the page of HTTP': {
    key: 'page',
    ask: async (gateway, key) =>
      (await gateway.get(`/v1/capabilities/${FORBIDDEN}`, headersOf(key))).body.error.code,
    wanted: '/v1/capabilities/:id',
  },
  'explain of HTTP': {
    key: 'explain',
    ask: (gateway, key) => post(gateway, key, `/v1/capabilities/${FORBIDDEN}/explain`),
    wanted: '/v1/capabilities/:id/explain',
  },
  'a call of HTTP': {
    key: 'call',
    ask: (gateway, key) => post(gateway, key, `/v1/capabilities/${FORBIDDEN}`),
    wanted: FORBIDDEN,
  },
  'a call of a batch': {
    key: 'batch',
    ask: async (gateway, key) => {
      const calls = [{ capability: FORBIDDEN, input: INPUT }]
      const { results } = await sendBatch(gateway, { calls }, { headers: headersOf(key) })
      return results[0]?.envelope.error.code
    },
    wanted: FORBIDDEN,
  },
  'a tool of MCP': {
    key: 'tool',
    ask: (gateway, key) =>
      tool(gateway, key, '?tools=all&profile=default', { name: 'pr_merge', arguments: INPUT }),
    wanted: FORBIDDEN,
  },
  'the tool call of MCP': {
    key: 'named',
    ask: (gateway, key) => {
      const args = { capability: FORBIDDEN, input: INPUT }
      return tool(gateway, key, '?profile=default', { name: 'call', arguments: args })
    },
    wanted: FORBIDDEN,
  },
  'the tool describe of MCP': {
    key: 'describe',
    ask: async (gateway, key) => {
      const params = { name: 'describe', arguments: { ids: ['repo.view', FORBIDDEN, 'no.such'] } }
      const found = (await useTool(gateway, key, '?profile=default', params)) as {
        capabilities: { id: string }[]
        forbidden: { id: string; code: string }[]
        notFound: { id: string }[]
      }
      expect(found.capabilities.map(({ id }) => id)).toEqual(['repo.view'])
      expect(found.notFound.map(({ id }) => id)).toEqual(['no.such'])
      return found.forbidden[0]?.code
    },
    wanted: FORBIDDEN,
  },
}

let gateway: TestGateway
beforeAll(async () => {
  const narrow = Object.values(WAYS).map(({ key: name }) => ({
    name,
    secret: secretOf(name),
    deny: [FORBIDDEN],
  }))
  const boss = { name: 'boss', secret: secretOf('boss'), operator: true }
  gateway = await startTestGateway({ settings: { keys: [...narrow, boss] } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

describe.each(Object.entries(WAYS))('by %s', (_, { key, ask, wanted }) => {
  test('a forbidden capability is FORBIDDEN, and the audit has it', async () => {
    expect(await ask(gateway, key)).toBe('FORBIDDEN')
    const { body } = await gateway.get(`/v1/audit?subject=${key}`, headersOf('boss'))
    const records = body.data.items.filter(
      ({ action }: { action: string }) => action === 'key.refused',
    )
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({
      actor: key,
      reason: expect.stringContaining(`may not call ${FORBIDDEN}: its deny list has`),
      details: { code: 'FORBIDDEN', wanted },
    })
  })
})

test('lists and searches leave it out, and record nothing', async () => {
  const { body } = await gateway.get('/v1/capabilities', headersOf('page'))
  expect(JSON.stringify(body.data)).not.toContain('"pr.merge"')
  const params = { name: 'search', arguments: { query: 'merge a pull request' } }
  const found = JSON.stringify(await useTool(gateway, 'named', '?profile=default', params))
  expect(found).not.toContain('"pr.merge"')
})

test('a capability that the connection leaves out is unknown to describe, and nobody is refused', async () => {
  const params = { name: 'describe', arguments: { ids: ['repo.view'] } }
  const found = await useTool(gateway, 'boss', '?tools=search,issue.*&profile=default', params)
  expect(found).toMatchObject({ capabilities: [], notFound: [{ id: 'repo.view' }] })
  const { body } = await gateway.get('/v1/audit?subject=boss', headersOf('boss'))
  expect(JSON.stringify(body.data.items)).not.toContain('key.refused')
})
