import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts'
import { secretOf } from './support/six-keys.ts'

vi.setConfig({ testTimeout: 180_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const key = (name: string, more: object = {}) => ({ name, secret: secretOf(name), ...more })
const AGENT = key('agent')
const OTHER = key('other')

let issuer: TokenIssuer
beforeAll(async () => {
  issuer = await startTokenIssuer()
})
afterAll(() => issuer.close())

const provider = (roles: object[]) => ({
  issuer: issuer.issuer,
  audience: AUDIENCE,
  claims: { role: 'role' },
  roles: roles as { name: string }[],
})
const STAFF = { name: 'staff' }

async function start(): Promise<TestGateway> {
  const settings = { keys: [AGENT, OTHER], oidc: [provider([STAFF])] }
  const gateway = await startTestGateway({ settings })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  return gateway
}

/** Reads a stream until it ends. */
async function follow({ url }: TestGateway, secret: string) {
  const response = await fetch(`${url}/v1/requests/stream`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(response.status).toBe(200)
  const seen = { text: '', isOpen: true }
  const ended = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      seen.text += chunk
    }
    seen.isOpen = false
  })()
  await expect.poll(() => seen.text).toContain('retry:')
  return { seen, ended }
}

const tokenOf = () => issuer.sign({ role: 'staff' })
const READERS = {
  'a gateway key': async () => secretOf('agent'),
  'a token': tokenOf,
} as const
type Reader = keyof typeof READERS

interface Change {
  readonly what: string
  readonly reader: Reader
  readonly keys: (typeof AGENT)[]
  readonly oidc: () => ReturnType<typeof provider>[]
}

const ENDING: readonly Change[] = [
  { what: 'is taken out', reader: 'a gateway key', keys: [OTHER], oidc: () => [provider([STAFF])] },
  {
    what: 'gets another secret',
    reader: 'a gateway key',
    keys: [OTHER, { ...AGENT, secret: secretOf('agent-2') }],
    oidc: () => [],
  },
  {
    what: 'gets another name',
    reader: 'a gateway key',
    keys: [OTHER, { ...AGENT, name: 'someone' }],
    oidc: () => [],
  },
  {
    what: 'becomes that of an operator',
    reader: 'a gateway key',
    keys: [OTHER, key('agent', { operator: true })],
    oidc: () => [],
  },
  {
    what: 'gets an end',
    reader: 'a gateway key',
    keys: [OTHER, key('agent', { expires: '2020-01-01T00:00:00Z' })],
    oidc: () => [],
  },
  { what: 'loses its issuer', reader: 'a token', keys: [AGENT], oidc: () => [] },
  {
    what: 'has the name of a new key',
    reader: 'a token',
    keys: [key('ann')],
    oidc: () => [provider([STAFF])],
  },
  {
    what: 'becomes that of an operator',
    reader: 'a token',
    keys: [AGENT],
    oidc: () => [provider([{ ...STAFF, operator: true }])],
  },
]

describe('a stream of requests', () => {
  test.each(ENDING)('ends when $reader $what', async ({ reader, keys, oidc }) => {
    const gateway = await start()
    const { ended } = await follow(gateway, await READERS[reader]())
    gateway.setKeys(keys, oidc())
    await expect(ended).resolves.toBeUndefined()
  })

  test.each(Object.keys(READERS) as Reader[])(
    'goes on with %s that a reload leaves as it is',
    async reader => {
      const gateway = await start()
      const secret = await READERS[reader]()
      const { seen } = await follow(gateway, secret)
      gateway.setKeys([key('agent', { strangers: 'hide' }), key('new')], [provider([STAFF])])
      const headers = { authorization: `Bearer ${secret}` }
      const { body } = await gateway.call('repo.view', REPO, { headers })
      await expect.poll(() => seen.text).toContain(body.meta.request_id)
      expect(seen.isOpen).toBe(true)
    },
  )

  test('of a gateway without keys ends when it gets some', async () => {
    const gateway = await startTestGateway()
    onTestFinished(() => gateway[Symbol.asyncDispose]())
    const { ended } = await follow(gateway, 'nothing')
    gateway.setKeys([AGENT])
    await expect(ended).resolves.toBeUndefined()
  })
})

/** The other ways to be answered with a stream. None of them lasts longer than its call. */
const OTHERS = [
  {
    name: 'the export of the audit',
    request: { method: 'GET', path: '/v1/audit/export', headers: {}, body: null },
  },
  {
    name: 'the export of requests',
    request: { method: 'GET', path: '/v1/requests/export', headers: {}, body: null },
  },
  {
    name: 'a GET of MCP',
    request: { method: 'GET', path: '/mcp', headers: { accept: 'text/event-stream' }, body: null },
  },
  {
    name: 'a subscription of MCP',
    request: {
      method: 'POST',
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///x'] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    },
  },
] as const

test.each(OTHERS)('$name ends by itself', async ({ request: { method, path, headers, body } }) => {
  const gateway = await startTestGateway({ settings: { keys: [key('agent', { operator: true })] } })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const response = await fetch(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${AGENT.secret}`, ...headers },
    body: body === null ? null : JSON.stringify(body),
  })
  await response.text()
  expect(response.bodyUsed).toBe(true)
})
