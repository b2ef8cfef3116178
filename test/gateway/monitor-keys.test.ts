import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openIssuers } from '../../src/access/issuers.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import { parseKeys } from '../../src/access/parse-keys.ts'
import { isMonitor, mayCall } from '../../src/access/permission.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const SECRET = 'scraper-secret-0123456789'
const KEYS = `prometheus:${SECRET}:metrics,agent:agent-secret-0123456789`
const READ = { id: 'repo.view', effect: 'read', destructive: false, scope: null } as const

describe('a key with the scope metrics alone', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ env: { SIGNALBOX_KEYS: KEYS } })
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  const send = (method: string, path: string, body?: unknown) =>
    fetch(new URL(path, gateway.url), {
      method,
      headers: {
        authorization: `Bearer ${SECRET}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('reads /metrics', async () => {
    const response = await send('GET', '/metrics')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('signalbox_build_info')
  })

  const repository = { owner: 'octo-org', name: 'hello-world' }
  const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  test.for([
    ['POST', '/v1/capabilities/repo.view', repository],
    ['POST', '/v1/batch', { calls: [{ capability: 'repo.view', input: repository }] }],
    ['POST', '/mcp', rpc('tools/list', {})],
    ['POST', '/mcp', rpc('tools/call', { name: 'repo_view', arguments: repository })],
    ['GET', '/v1/capabilities'],
    ['GET', '/v1/upstreams'],
    ['GET', '/v1/requests'],
    ['GET', '/v1/stats'],
  ] as const)('is refused at %s %s', async ([method, path, body]) => {
    const response = await send(method, path, body)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('may only read /metrics')
  })

  test('is refused at every endpoint below /v1, and no request reaches the service', async () => {
    const paths = gateway.routes.filter(route => / \/v1\//.test(route))
    expect(paths.length).toBeGreaterThan(20)
    const statuses = await Promise.all(
      paths.map(async route => {
        const [method = '', path = ''] = route.split(' ')
        return [route, (await send(method, path.replaceAll(/:\w+/g, 'x'))).status]
      }),
    )
    expect(statuses.filter(([, status]) => status !== 403)).toEqual([])
    expect(gateway.sandbox.log.rows()).toEqual([])
  })

  test('sees no capability in the document', async () => {
    const { paths } = (await (await send('GET', '/openapi.json')).json()) as { paths: object }
    expect(Object.keys(paths)).not.toContain('/v1/capabilities/repo.view')
  })
})

describe('a caller may only read /metrics if that is its only scope and it is allowed no capability:', () => {
  const secret = SECRET
  const keyed = (rights: object) => openKeys([{ name: 'one', secret, ...rights }])[0]?.caller
  const role = (rights: object) =>
    openIssuers([
      {
        issuer: 'https://login.example.com',
        audience: 'gateway',
        claims: { role: 'role' },
        roles: [{ name: 'one', ...rights }],
      },
    ])[0]?.mapping.roles.get('one')

  test.for([
    ['the variable', openKeys(parseKeys(`one:${secret}:metrics`))[0]?.caller, true],
    [
      'the variable with graphql',
      openKeys(parseKeys(`one:${secret}:metrics+graphql`))[0]?.caller,
      false,
    ],
    [
      'the variable with operator',
      openKeys(parseKeys(`one:${secret}:metrics+operator`))[0]?.caller,
      false,
    ],
    ['a key', keyed({ scopes: ['metrics'] }), true],
    ['a key that allows nothing', keyed({ scopes: ['metrics'], allow: [] }), true],
    ['a key that only denies', keyed({ scopes: ['metrics'], deny: ['gist.*'] }), true],
    ['a key that allows something', keyed({ scopes: ['metrics'], allow: ['repo.*'] }), false],
    ['a key that reads', keyed({ scopes: ['metrics'], read_only: true }), false],
    ['a key without scopes', keyed({}), false],
    ['a role', role({ scopes: ['metrics'] }), true],
    ['a role of an operator', role({ scopes: ['metrics'], operator: true }), false],
  ] as const)('%s', ([, caller, only]) => {
    if (caller === undefined) throw new Error('no caller')
    expect(isMonitor(caller)).toBe(only)
    expect(mayCall(caller, READ)).toBe(!only)
  })
})
