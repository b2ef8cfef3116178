import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const KEYS = [
  { name: 'agent', secret: 'agent-secret-0123456789' },
  { name: 'scraper', secret: 'scraper-secret-0123456', scopes: ['metrics' as const] },
  { name: 'root', secret: 'root-secret-0123456789', operator: true },
]
const APP = 'https://app.example.test'
const PUBLIC = 'https://gateway.example.test'
const repo = { owner: 'octo-org', name: 'hello-world' }

let keyless: TestGateway
let keyed: TestGateway
beforeAll(async () => {
  const settings = { allowed_origins: [APP], public_url: PUBLIC }
  keyless = await startTestGateway({ settings })
  keyed = await startTestGateway({ settings: { ...settings, keys: KEYS } })
})
afterAll(async () => {
  await keyless[Symbol.asyncDispose]()
  await keyed[Symbol.asyncDispose]()
})

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends any header, which fetch does not: Host, Origin and Sec-Fetch-Site are those of the browser. */
async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const request = httpRequest(url, { method, headers, agent: false }, response => {
    const { statusCode: status = 0, headers: fields } = response
    text(response).then(body => resolve({ status, headers: fields, body }), reject)
  })
  request.on('error', reject).end(body)
  return await promise
}

const codeOf = ({ body }: Reply) => (JSON.parse(body) as { error: { code: string } }).error.code

/** Each door and each page of the gateway: method, path, body. */
const PLACES = [
  ['POST', '/v1/capabilities/repo.view', JSON.stringify(repo)],
  ['POST', '/v1/capabilities/repo.view/explain', JSON.stringify(repo)],
  ['POST', '/v1/batch', JSON.stringify({ calls: [{ capability: 'repo.view', input: repo }] })],
  ['POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['GET', '/v1/capabilities', ''],
  ['GET', '/v1/requests', ''],
  ['GET', '/v1/stats', ''],
  ['GET', '/v1/upstreams', ''],
  ['GET', '/metrics', ''],
  ['GET', '/livez', ''],
  ['GET', '/readyz', ''],
  ['GET', '/openapi.json', ''],
  ['GET', '/docs/', ''],
  ['GET', '/inspector', ''],
  ['GET', '/inspector/assets/inspector.js', ''],
  ['GET', '/nowhere', ''],
] as const

const root = { authorization: `Bearer ${KEYS[2]?.secret}` }
const JSON_TYPE = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

describe.each(PLACES)('%s %s', (method, path, body) => {
  const doors = () =>
    [
      [keyless.url, {}],
      [keyed.url, root],
    ] as const

  test.each([
    ['a foreign origin', { origin: 'https://evil.example.test' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['an origin that only begins like an allowed one', { origin: `${APP}.evil.test` }],
    ['another site without Origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, foreign) => {
    for (const [url, key] of doors()) {
      const headers = { ...JSON_TYPE, ...key, ...foreign }
      const reply = await send(`${url}${path}`, method, headers as Record<string, string>, body)
      expect(reply.status).toBe(403)
      expect(codeOf(reply)).toBe('FORBIDDEN')
      expect(reply.headers['access-control-allow-origin']).toBe(undefined)
    }
  })

  test('serves its own pages and the allowed ones', async () => {
    for (const [url, key] of doors()) {
      const plain = await send(`${url}${path}`, method, { ...JSON_TYPE, ...key }, body)
      expect(plain.status).toBe(path === '/nowhere' ? 404 : 200)
      for (const own of [
        { origin: url, 'sec-fetch-site': 'same-origin' },
        { origin: PUBLIC, 'sec-fetch-site': 'same-origin' },
        { origin: APP, 'sec-fetch-site': 'cross-site' },
      ]) {
        const reply = await send(`${url}${path}`, method, { ...JSON_TYPE, ...key, ...own }, body)
        expect(reply.status).toBe(plain.status)
        const allowed = own.origin === APP ? APP : undefined
        expect(reply.headers['access-control-allow-origin']).toBe(allowed)
      }
    }
  })

  test('answers the preflight of an allowed page without a key, and of no other', async () => {
    const ask = (origin: string) => ({
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type, idempotency-key',
    })
    for (const [url] of doors()) {
      const reply = await send(`${url}${path}`, 'OPTIONS', ask(APP))
      expect(reply).toMatchObject({ status: 204, body: '' })
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-headers': 'authorization, content-type, idempotency-key',
        'access-control-allow-methods': expect.stringContaining(method),
      })
      expect(
        (await send(`${url}${path}`, 'OPTIONS', ask('https://evil.example.test'))).status,
      ).toBe(403)
    }
  })

  test('without keys, serves no other host', async () => {
    const headers = { ...JSON_TYPE, host: 'rebound.example.test' }
    const reply = await send(`${keyless.url}${path}`, method, headers, body)
    expect(reply.status).toBe(403)
    expect(codeOf(reply)).toBe('FORBIDDEN')
  })
})

test.each(PLACES.filter(([method]) => method === 'POST'))(
  '%s %s accepts JSON only',
  async (method, path, body) => {
    const types = [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
    ]
    for (const type of types) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const reply = await send(`${keyless.url}${path}`, method, headers, body)
      expect(reply.status).toBe(415)
      expect(codeOf(reply)).toBe('VALIDATION')
    }
  },
)

test.each([
  ['/metrics', null, 401],
  ['/metrics', 'agent', 403],
  ['/metrics', 'scraper', 200],
  ['/metrics', 'root', 200],
  ['/v1/requests', null, 401],
  ['/v1/requests', 'agent', 200],
  ['/v1/requests', 'scraper', 403],
  ['/livez', null, 200],
  ['/inspector', null, 200],
])('%s with the key %s answers %d', async (path, name, expected) => {
  const key = KEYS.find(one => one.name === name)
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key.secret}` } : {}
  expect((await send(`${keyed.url}${path}`, 'GET', headers)).status).toBe(expected)
})

test('the document names the address behind the proxy', async () => {
  const { body } = await send(`${keyless.url}/openapi.json`, 'GET', {})
  expect(JSON.parse(body)).toMatchObject({ servers: [{ url: PUBLIC }] })
})

describe('a selection of tools', () => {
  const connect = async (query: string) => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${keyless.url}/mcp?${query}`)))
    return client
  }

  test.each([
    ['tools=repo.view', 'issue_create'],
    ['tools=repo.view', 'issue.create'],
    ['tools=repo.view&tools=repo.labels*', 'issue_create'],
  ])('%s does not run %s', async (query, tool) => {
    const client = await connect(query)
    const { length } = keyless.sandbox.log.rows()
    const input = { ...repo, title: 'not offered' }
    const { isError, content } = await client.callTool({ name: tool, arguments: input })
    expect({ isError, content: JSON.stringify(content) }).toEqual({
      isError: true,
      content: expect.stringMatching(/NOT_FOUND.*There is no tool/),
    })
    expect(JSON.stringify(content)).not.toMatch(/Did you mean[^?]*issue.create\b/)
    expect(keyless.sandbox.log.rows().length).toBe(length)
    await expect(client.callTool({ name: 'repo_view', arguments: repo })).resolves.toMatchObject({
      isError: false,
    })
    await client.close()
  })

  test.each([
    ['tool=repo.view', 'tool'],
    ['capabilities=repo.*', 'capabilities'],
    ['tools=repo.vew', 'tools'],
    ['tools=repo.*,nothing.*', 'tools'],
    ['tools=', 'tools'],
    ['tools=search,-repo.vew', 'tools'],
    ['tools=reads:repo.*', 'tools'],
    ['token_budget=many', 'token_budget'],
    ['profile=nope', 'profile'],
  ])('%s is refused by the name of the parameter', async (query, field) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const reply = await send(`${keyless.url}/mcp?${query}`, 'POST', JSON_TYPE, body)
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: [{ path: field }] } },
    })
  })
})
