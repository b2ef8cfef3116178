import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiDocument,
  DOCUMENT_KEY,
  fetchDocument,
  findOperation,
} from '../support/api-document.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import type { RecordedAnswer } from '../support/recorded-answers.ts'

const KEYS = [
  {
    name: 'root',
    secret: 'a-secret-of-the-operator',
    operator: true,
    scopes: ['graphql' as const],
  },
  { name: 'agent', secret: 'a-secret-of-the-agent', approve: ['issue.create'] },
]
const KEY = { authorization: `Bearer ${KEYS[0]?.secret}` }
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
/** Stands for the id of a recorded request. */
const RECORDED = 'a-recorded-request'
/** Stands for the id of an approval. */
const ASKED = 'an-approval'

interface Call {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

const NO_KEY: Call = { headers: { authorization: '' } }
const json = { 'content-type': 'application/json' }
const message = (method: string) => ({ jsonrpc: '2.0', id: 1, method })
const streamable = { accept: 'application/json, text/event-stream' }

/** Calls of each endpoint: those that succeed, and those that fail. Pages and probes cannot fail. */
const CASES: Readonly<
  Record<string, { readonly good: readonly Call[]; readonly bad: readonly Call[] }>
> = {
  'POST /v1/batch': {
    good: [{ body: { calls: [{ capability: 'repo.view', input: REPOSITORY }, {}] } }],
    bad: [NO_KEY, { body: { calls: [] } }, { body: { calls: [] }, path: '/v1/batch?profile=ghx' }],
  },
  'POST /v1/batch/explain': {
    good: [{ body: { calls: [{ capability: 'repo.view', input: REPOSITORY }, {}] } }],
    bad: [NO_KEY, { body: { calls: [] } }],
  },
  'GET /livez': { good: [{}], bad: [] },
  'GET /readyz': { good: [{}], bad: [] },
  'GET /metrics': { good: [{}], bad: [] },
  'GET /openapi.json': { good: [{}], bad: [] },
  'GET /docs': { good: [{}], bad: [] },
  'GET /inspector': { good: [{}], bad: [] },
  'GET /inspector/attempts': { good: [{}], bad: [] },
  'GET /inspector/compare': { good: [{}], bad: [] },
  'GET /inspector/audit': { good: [{}], bad: [] },
  'GET /inspector/overview': { good: [{}], bad: [] },
  'GET /inspector/capabilities/{capability_id}': {
    good: [{ path: '/inspector/capabilities/repo.view' }],
    bad: [],
  },
  'GET /inspector/upstreams/{upstream_id}': {
    good: [{ path: '/inspector/upstreams/github' }],
    bad: [],
  },
  'GET /inspector/approvals': { good: [{}], bad: [] },
  'GET /inspector/approvals/{approval_id}': { good: [{ path: '/inspector/approvals/x' }], bad: [] },
  'GET /inspector/requests/{request_id}': { good: [{ path: '/inspector/requests/x' }], bad: [] },
  'GET /v1/capabilities': { good: [{}], bad: [NO_KEY] },
  'GET /v1/capabilities/{id}': {
    good: ['issue.list', 'issue.create', 'graphql.query'].map(id => ({
      path: `/v1/capabilities/${id}`,
    })),
    bad: [NO_KEY, { path: '/v1/capabilities/no.such' }],
  },
  'POST /v1/capabilities/{id}/explain': {
    good: [
      { path: '/v1/capabilities/repo.view/explain', body: REPOSITORY },
      { path: '/v1/capabilities/repo.view/explain?route=graphql', body: REPOSITORY },
    ],
    bad: [NO_KEY, { path: '/v1/capabilities/repo.view/explain', body: {} }],
  },
  'GET /v1/requests': {
    good: [{}, { path: '/v1/requests?ok=false' }],
    bad: [
      NO_KEY,
      { path: '/v1/requests?limit=0' },
      { path: '/v1/requests?limit=0&profile=problem' },
    ],
  },
  'GET /v1/requests/{request_id}': {
    good: [{ path: `/v1/requests/${RECORDED}` }],
    bad: [NO_KEY, { path: '/v1/requests/no-such' }],
  },
  'GET /v1/requests/{request_id}/export': {
    good: [{ path: `/v1/requests/${RECORDED}/export` }],
    bad: [NO_KEY, { path: '/v1/requests/no-such/export' }],
  },
  'GET /v1/requests/{request_id}/replay': {
    good: [{ path: `/v1/requests/${RECORDED}/replay` }],
    bad: [NO_KEY, { path: '/v1/requests/no-such/replay' }],
  },
  'GET /v1/requests/stream': {
    good: [{}],
    bad: [NO_KEY, { path: '/v1/requests/stream?route=soap' }],
  },
  'GET /v1/attempts': { good: [{}], bad: [NO_KEY, { path: '/v1/attempts?since=yesterday' }] },
  'GET /v1/stats': {
    good: [{}, { path: '/v1/stats?compare=true&buckets=false&upstream=github' }],
    bad: [NO_KEY, { path: '/v1/stats?bucket=2h' }],
  },
  'GET /v1/upstreams/{upstream_id}/history': {
    good: [{ path: '/v1/upstreams/github/history' }],
    bad: [NO_KEY, { path: '/v1/upstreams/github/history?bucket=2h' }],
  },
  'GET /v1/upstreams': { good: [{}], bad: [NO_KEY] },
  'POST /v1/upstreams/{upstream_id}/reset': {
    good: [{ path: '/v1/upstreams/github/reset', body: {} }],
    bad: [
      NO_KEY,
      { path: '/v1/upstreams/no-such/reset', body: {} },
      { path: '/v1/upstreams/github/reset', body: { all: true } },
    ],
  },
  'POST /v1/cards/reload': { good: [{ body: {} }], bad: [NO_KEY, { body: { force: true } }] },
  'GET /v1/approvals': {
    good: [{}, { path: '/v1/approvals?status=waiting&limit=1' }],
    bad: [NO_KEY, { path: '/v1/approvals?status=lost' }],
  },
  'GET /v1/approvals/{approval_id}': {
    good: [{ path: `/v1/approvals/${ASKED}` }],
    bad: [NO_KEY, { path: '/v1/approvals/no-such' }],
  },
  'POST /v1/approvals/{approval_id}': {
    good: [{ path: `/v1/approvals/${ASKED}`, body: { decision: 'refuse', note: 'No.' } }],
    bad: [NO_KEY, { path: `/v1/approvals/${ASKED}`, body: {} }],
  },
  'GET /v1/audit': {
    good: [{}, { path: '/v1/audit?action=approval.asked&limit=1' }],
    bad: [NO_KEY, { path: '/v1/audit?action=nothing' }],
  },
  'GET /v1/requests/export': {
    good: [{}, { path: '/v1/requests/export?format=csv&q=repo' }],
    bad: [NO_KEY, { path: '/v1/requests/export?limit=1' }],
  },
  'GET /v1/attempts/export': {
    good: [{}, { path: '/v1/attempts/export?format=csv' }],
    bad: [NO_KEY, { path: '/v1/attempts/export?format=xlsx' }],
  },
  'GET /v1/audit/export': {
    good: [{}],
    bad: [NO_KEY, { path: '/v1/audit/export?limit=1' }],
  },
  'GET /v1/hints': {
    good: [{ path: '/v1/hints?ids=hint_auth_001,none' }, { headers: { 'if-none-match': '*' } }],
    bad: [NO_KEY, { path: '/v1/hints?id=x' }],
  },
  'GET /v1/profiles': { good: [{}], bad: [NO_KEY] },
  'GET /.well-known/oauth-protected-resource': { good: [], bad: [{}] },
  'GET /.well-known/oauth-protected-resource/mcp': { good: [], bad: [{}] },
  'POST /mcp': {
    good: [
      { body: message('tools/list'), headers: streamable },
      { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers: streamable },
    ],
    bad: [NO_KEY, { body: message('tools/list'), headers: { accept: 'text/html' } }],
  },
  'GET /mcp': { good: [], bad: [NO_KEY, {}] },
  'DELETE /mcp': { good: [], bad: [NO_KEY, {}] },
}

let gateway: TestGateway
let api: ApiDocument
let recordedId: string
let approvalId: string

beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
  api = await fetchDocument(gateway.url, gateway.engine.catalog.all(), true)
  const { body } = await gateway.call('repo.view', REPOSITORY, { headers: KEY })
  recordedId = body.meta.request_id
  const issue = { ...REPOSITORY, title: 'One' }
  await gateway.call('issue.create', issue, { headers: KEY })
  const agent = { authorization: `Bearer ${KEYS[1]?.secret}` }
  const asked = await gateway.call('issue.create', issue, { headers: agent })
  approvalId = asked.body.error.next.approval_id
})
afterAll(() => gateway[Symbol.asyncDispose]())

const isCapability = (operation: string) => /^POST \/v1\/capabilities\/[\w.]+$/.test(operation)

function operations(): readonly string[] {
  return Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
}

/** Makes a call, and checks its answer against the document. */
async function ask(operation: string, { path, headers = {}, body }: Call) {
  const [method = '', template = ''] = operation.split(' ')
  const url = (path ?? template.replaceAll(/\{\w+\}/g, 'x'))
    .replace(RECORDED, recordedId)
    .replace(ASKED, approvalId)
  const response = await fetch(`${gateway.url}${url}`, {
    method,
    headers: { ...KEY, ...(body === undefined ? {} : json), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const { status } = response
  const contentType = response.headers.get('content-type')
  const text = await readBody(response, operation)
  const names = [...response.headers.keys()]
  const sent = { ...KEY, ...headers }
  const answer = {
    method,
    url,
    requestHeaders: sent,
    status,
    contentType,
    headers: names,
    body: text,
  }
  expect(findOperation(api.document, answer)).toEqual({
    path: template,
    method: method.toLowerCase(),
  })
  expect(await api.fault(answer, KEYS), `${operation} ${status} ${text.slice(0, 500)}`).toBeNull()
  return status
}

/** The stream of requests never ends, so its body is not read. */
async function readBody(response: Response, operation: string): Promise<string> {
  if (operation !== 'GET /v1/requests/stream' || !response.ok) return await response.text()
  await response.body?.cancel()
  return ''
}

test('every endpoint has calls here', () => {
  const endpoints = operations().filter(operation => !isCapability(operation))
  expect(endpoints.toSorted()).toEqual(Object.keys(CASES).toSorted())
})

describe.each(Object.keys(CASES))('the document describes %s', operation => {
  const { good = [], bad = [] } = CASES[operation] ?? {}

  test('when it succeeds', async () => {
    for (const call of good) expect(await ask(operation, call)).toBeLessThan(400)
  })

  test('when it fails', async () => {
    for (const call of bad) expect(await ask(operation, call)).toBeGreaterThanOrEqual(400)
  })
})

test.each(Object.keys(CASES).filter(operation => /^(GET|POST) .v1.*[{]/.test(operation)))(
  'an empty id is refused by %s',
  async operation => {
    const [method = '', path = ''] = operation.split(' ')
    const empty = path.replace(/\{\w+\}/, '')
    const sent = method === 'POST' ? { headers: { ...KEY, ...json }, body: '{}' } : { headers: KEY }
    const response = await fetch(`${gateway.url}${empty}`, { method, ...sent })
    const answer = await response.json()
    expect([response.status, answer]).toMatchObject([
      expect.toBeOneOf([400, 404]),
      { ok: false, error: { code: expect.toBeOneOf(['VALIDATION', 'NOT_FOUND']) } },
    ])
  },
)

test.each([
  ['since=yesterday', /RFC 3339, a date .*, or epoch milliseconds/],
  ['limit=0', /1 to 200/],
  ['http_status=9', /503, or 5xx for a class/],
  ['q=', /must not be empty/],
])('a wrong filter is refused with the right form: %s', async (query, form) => {
  const { body } = await gateway.get(`/v1/requests?${query}`, KEY)
  expect(body.error).toMatchObject({ code: 'VALIDATION', message: expect.stringMatching(form) })
})

test('the document says which endpoints need a key', async () => {
  // `fetchDocument` may have the document of a gateway without keys.
  const headers = { authorization: `Bearer ${DOCUMENT_KEY.secret}` }
  const response = await fetch(`${gateway.url}/openapi.json`, { headers })
  const document = (await response.json()) as ApiDocument['document']
  const security = Object.fromEntries(
    operations().map(operation => {
      const [method = '', path = ''] = operation.split(' ')
      const one = document.paths[path]?.[method.toLowerCase()] as { security?: unknown }
      return [operation, one.security]
    }),
  )
  const open = Object.entries(security).filter(([, own]) => own !== undefined)
  expect(Object.fromEntries(open)).toEqual({
    'GET /.well-known/oauth-protected-resource': [],
    'GET /.well-known/oauth-protected-resource/mcp': [],
    'GET /livez': [],
    'GET /readyz': [],
    'GET /openapi.json': [],
    'GET /docs': [],
    'GET /inspector': [],
    'GET /inspector/attempts': [],
    'GET /inspector/compare': [],
    'GET /inspector/audit': [],
    'GET /inspector/overview': [],
    'GET /inspector/capabilities/{capability_id}': [],
    'GET /inspector/upstreams/{upstream_id}': [],
    'GET /inspector/approvals': [],
    'GET /inspector/approvals/{approval_id}': [],
    'GET /inspector/requests/{request_id}': [],
  })
  expect(document).toMatchObject({
    security: [{ gatewayKey: [] }],
    components: { securitySchemes: { gatewayKey: { type: 'http', scheme: 'bearer' } } },
  })
  // The endpoints say the truth.
  for (const operation of Object.keys(security).filter(name => name.startsWith('GET '))) {
    const path = operation.replace('GET ', '').replaceAll(/\{\w+\}/g, 'x')
    const answer = await fetch(`${gateway.url}${path}`)
    await answer.body?.cancel()
    expect([operation, answer.status === 401]).toEqual([
      operation,
      security[operation] === undefined,
    ])
  }
})

test('without keys, the document asks for none', async () => {
  await using keyless = await startTestGateway()
  const document = await (await fetch(`${keyless.url}/openapi.json`)).text()
  expect(document.match(/securitySchemes|gatewayKey|Failure401/g)).toBeNull()
  expect(JSON.parse(document)).toMatchObject({ security: [] })
})

test('the document describes the failure of every capability', async () => {
  const capabilities = operations().filter(isCapability)
  expect(capabilities).toHaveLength(gateway.engine.catalog.all().length)
  for (const operation of capabilities) {
    expect(await ask(operation, { body: { 'no such member': 1 } })).toBe(400)
  }
})

test.each(['default', 'ghx', 'compact', 'codegraph', 'dotbot', 'budgeted', 'problem'])(
  'the document describes a capability in the dialect %s',
  async profile => {
    const [operation, path] = [
      'POST /v1/capabilities/repo.view',
      `/v1/capabilities/repo.view?profile=${profile}`,
    ]
    expect(await ask(operation, { path, body: REPOSITORY })).toBe(200)
    expect(await ask(operation, { path, body: { ...REPOSITORY, name: 'nowhere' } })).toBe(404)
    expect(await ask(operation, { path, body: {} })).toBe(400)
  },
)

test('a fault in an answer is found', async () => {
  const answer = { method: 'GET', url: '/livez', requestHeaders: {}, status: 200 }
  const contentType = 'application/json'
  const fault = async (other: Partial<RecordedAnswer>) =>
    await api.fault({ ...answer, contentType, body: '', ...other }, KEYS)
  expect(await fault({ body: '{"ok":true}' })).toContain('required')
  expect(await fault({ contentType: 'text/html' })).toContain('type')
  expect(await fault({ status: 201 })).toContain('status')
  expect(await fault({ status: 409 })).toContain('status')
  expect(await fault({ headers: ['x-request-id', 'x-secret'] })).toContain('x-secret')
})
