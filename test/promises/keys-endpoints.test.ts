import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { headersOf, KEYS, type KeyName, NO_INPUT, settings } from './support/six-keys.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const NAMES = KEYS.map(({ key }) => key.name)

/**
 * The callers who may use an endpoint. `open`: everybody, also without a key. `key`: every key. `operator`: keys of operators.
 * `own`: operators, and the key `asking`, to which the row belongs; others get the status beside it.
 */
type Access = 'open' | 'key' | 'operator' | { readonly own: 403 | 404 }

interface Endpoint {
  readonly access: Access
  /** The path that is asked; default: that of the route. */
  readonly path?: string
  readonly body?: unknown
  /** The status for those who may. @default 200 */
  readonly status?: number
}

/** An approval and a request of the key `asking`. */
let approval = ''
let request = ''

const OPEN: Endpoint = { access: 'open' }
const KEY: Endpoint = { access: 'key' }
const OPERATOR: Endpoint = { access: 'operator' }

/** Each route of the server. A new one fails the first test until it stands here. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /livez': OPEN,
  'GET /readyz': OPEN,
  'GET /openapi.json': OPEN,
  // Only where an identity provider is set.
  'GET /.well-known/oauth-protected-resource': { ...OPEN, status: 404 },
  'GET /.well-known/oauth-protected-resource/mcp': { ...OPEN, status: 404 },
  'GET /docs': OPEN,
  'GET /docs/': OPEN,
  'GET /docs/static/index.html': { ...OPEN, status: 302 },
  'GET /docs/static/swagger-initializer.js': OPEN,
  'GET /docs/*': { ...OPEN, path: '/docs/static/swagger-ui.css' },
  'GET /docs/json': OPEN,
  'GET /docs/yaml': OPEN,
  'GET /inspector': OPEN,
  'GET /inspector*': { ...OPEN, path: '/inspector/assets/theme.js' },
  'GET /inspector/attempts': OPEN,
  'GET /inspector/compare': OPEN,
  'GET /inspector/audit': OPEN,
  'GET /inspector/approvals': OPEN,
  'GET /inspector/approvals/:approval_id': { ...OPEN, path: '/inspector/approvals/x' },
  'GET /inspector/requests/:request_id': { ...OPEN, path: '/inspector/requests/x' },
  'GET /inspector/overview': OPEN,
  'GET /inspector/capabilities/:capability_id': {
    ...OPEN,
    path: '/inspector/capabilities/repo.view',
  },
  'GET /inspector/upstreams/:upstream_id': { ...OPEN, path: '/inspector/upstreams/github' },
  'GET /': { ...OPEN, status: 404 },
  'GET /favicon.ico': { ...OPEN, status: 404 },
  'GET /v1/capabilities': KEY,
  'GET /v1/hints': KEY,
  'GET /v1/profiles': KEY,
  'GET /v1/requests': KEY,
  'GET /v1/requests/stream': KEY,
  'GET /v1/requests/export': KEY,
  'GET /v1/attempts/export': KEY,
  'GET /v1/attempts': KEY,
  'GET /v1/stats': KEY,
  'GET /v1/upstreams': KEY,
  'GET /v1/upstreams/:upstream_id/history': { ...KEY, path: '/v1/upstreams/github/history' },
  'POST /v1/batch': { ...KEY, body: { calls: [{ capability: 'repo.view', input: NO_INPUT }] } },
  'POST /v1/batch/explain': {
    ...KEY,
    body: { calls: [{ capability: 'repo.view', input: NO_INPUT }] },
  },
  'GET /mcp': { ...KEY, status: 405 },
  'DELETE /mcp': { ...KEY, status: 405 },
  'POST /mcp': { ...KEY, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'GET /metrics': OPERATOR,
  'GET /v1/approvals': OPERATOR,
  'GET /v1/audit': OPERATOR,
  'GET /v1/audit/export': OPERATOR,
  'POST /v1/cards/reload': { ...OPERATOR, body: {} },
  'POST /v1/upstreams/:upstream_id/reset': {
    ...OPERATOR,
    path: '/v1/upstreams/github/reset',
    body: {},
  },
  'POST /v1/approvals/:approval_id': {
    ...OPERATOR,
    path: '/v1/approvals/nothing',
    body: { decision: 'approve' },
    status: 404,
  },
  'GET /v1/approvals/:approval_id': { access: { own: 403 } },
  'GET /v1/requests/:request_id': { access: { own: 404 } },
  // The request waits for a person, so it has decided nothing yet.
  'GET /v1/requests/:request_id/export': { access: { own: 404 }, status: 409 },
  'GET /v1/requests/:request_id/replay': { access: { own: 404 }, status: 409 },
}

/** The table of keys.test.ts has each capability at these. */
const OF_CAPABILITIES = [
  'GET /v1/capabilities/:id',
  'POST /v1/capabilities/:id',
  'POST /v1/capabilities/:id/explain',
]

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings, env: { PATH: '' } })
  const input = { ...REPO, title: 'Asked for' }
  for (const key of NAMES) await gateway.call('repo.view', REPO, { headers: headersOf(key) })
  const { body } = await gateway.call('issue.create', input, { headers: headersOf('asking') })
  approval = body.error.next.approval_id
  request = body.meta.request_id
})
afterAll(() => gateway[Symbol.asyncDispose]())

function statusFor({ access, status = 200 }: Endpoint, key: KeyName | null): number {
  if (access === 'open') return status
  if (key === null) return 401
  if (access === 'key' || key === 'operator') return status
  if (access === 'operator') return 403
  return key === 'asking' ? status : access.own
}

async function ask(route: string, endpoint: Endpoint, key: KeyName | null) {
  const [method = '', path = ''] = route.split(' ')
  const named = path.replace(':approval_id', approval).replace(':request_id', request)
  const controller = new AbortController()
  const { authorization, 'content-type': type, ...others } = headersOf(key ?? 'nobody')
  const response = await fetch(`${gateway.url}${endpoint.path ?? named}`, {
    method,
    redirect: 'manual',
    headers: {
      ...others,
      ...(key === null ? {} : { authorization }),
      ...(endpoint.body === undefined ? {} : { 'content-type': type }),
    } as Record<string, string>,
    signal: controller.signal,
    ...(endpoint.body === undefined ? {} : { body: JSON.stringify(endpoint.body) }),
  })
  const { status } = response
  // A stream does not end by itself.
  const isStream = path.endsWith('/stream') && status === 200
  const text = isStream ? '' : await response.text()
  controller.abort()
  return { status, text }
}

test('every route of the server is declared', () => {
  const declared = [...Object.keys(ENDPOINTS), ...OF_CAPABILITIES]
  expect(gateway.routes.toSorted()).toEqual(declared.toSorted())
})

describe.each(Object.entries(ENDPOINTS))('%s', (route, endpoint) => {
  test.each([null, ...NAMES])('answers the key %s as declared', async key => {
    const { status, text } = await ask(route, endpoint, key)
    expect(status).toBe(statusFor(endpoint, key))
    if (status === 401) expect(text).toContain('"code":"AUTH"')
    if (status === 403) expect(text).toContain('"code":"FORBIDDEN"')
  })

  test('shows no capability without a key', async () => {
    const { text } = await ask(route, endpoint, null)
    const named = gateway.engine.catalog
      .all()
      .filter(({ id }) => text.includes(`capabilities/${id}`))
    expect(named.map(({ id }) => id)).toEqual([])
  })
})

test.each(['/v1/requests', '/v1/attempts'])(
  '%s shows each key its own rows, and operators all',
  async path => {
    const callers = async (key: KeyName) => {
      const { body } = await gateway.get(`${path}?limit=200`, headersOf(key))
      return [...new Set((body.data.items as { caller: string }[]).map(({ caller }) => caller))]
    }
    for (const key of NAMES) {
      const found = await callers(key)
      if (key === 'operator') expect(found.length).toBeGreaterThan(2)
      else expect(found.filter(caller => caller !== key)).toEqual([])
    }
  },
)
