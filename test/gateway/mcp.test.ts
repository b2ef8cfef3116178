import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '../../src/model/envelope.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const KEY = { name: 'agent', secret: 'a-key-of-16-characters' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  return client
}

interface ToolResult {
  readonly isError: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every capability
  readonly envelope: Envelope & { data: any; error: any }
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown>,
  meta: Record<string, unknown> = {},
): Promise<ToolResult> {
  const result = await client.callTool({ name, arguments: input, _meta: meta })
  const [content] = result.content as { text: string }[]
  return { isError: result.isError === true, envelope: JSON.parse(content?.text ?? '') }
}

describe('an agent that knows only the address', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect(`${gateway.url}/mcp?tools=all&profile=default`)
  })
  afterAll(() => client.close())

  test('gets instructions about answers', () => {
    expect(client.getInstructions()).toMatch(/error\.next/)
  })

  test('finds every capability as a tool, with its input and its effect', async () => {
    const { tools } = await client.listTools()
    const cards = gateway.engine.catalog.all()
    expect(tools.map(({ title }) => title)).toEqual([
      ...cards.map(({ id }) => id),
      'Call several capabilities',
      'Look up hints',
    ])
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    expect(tools.find(({ name }) => name === 'issue_create')).toMatchObject({
      inputSchema: { required: ['owner', 'name', 'title'] },
      annotations: { readOnlyHint: false, idempotentHint: false },
    })
    expect(tools.find(({ name }) => name === 'repo_view')?.annotations).toMatchObject({
      readOnlyHint: true,
    })
  })

  test('reads, by either name', async () => {
    for (const name of ['repo_view', 'repo.view']) {
      const { isError, envelope } = await call(client, name, repo)
      expect(isError).toBe(false)
      expect(envelope).toMatchObject({ ok: true, data: { nameWithOwner: 'octo-org/hello-world' } })
    }
  })

  test('sees a fallback, which the journal has too', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
    const { envelope } = await call(client, 'repo_view', repo)
    gateway.sandbox.faults.set([])
    expect(envelope.meta).toMatchObject({ route_used: 'graphql', reason: 'CARD_FALLBACK' })
    const { body } = await gateway.get(`/v1/requests/${envelope.meta.request_id}`)
    expect(body.data).toMatchObject({ capability_id: 'repo.view', route_used: 'graphql' })
  })

  test('gets an envelope for a bad input, which says how to fix it', async () => {
    const { isError, envelope } = await call(client, 'issue_create', { ...repo, titel: 'x' })
    expect(isError).toBe(true)
    expect(envelope.error).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: expect.arrayContaining(['title', 'titel']) },
    })
  })

  test('chooses the route and the fields of the answer', async () => {
    const { envelope } = await call(client, 'issue_list', repo, {
      'signalbox/route': 'graphql',
      'signalbox/fields': 'items.number',
      'someone-else/option': true,
    })
    expect(envelope.meta.route_used).toBe('graphql')
    expect(Object.keys(envelope.data.items[0])).toEqual(['number'])
  })

  test('gets the name of a wrong option, and the call is recorded', async () => {
    const { isError, envelope } = await call(client, 'repo_view', repo, {
      'signalbox/rout': 'rest',
    })
    expect(isError).toBe(true)
    expect(envelope.error.message).toMatch(/rout/)
    const { body } = await gateway.get(`/v1/requests/${envelope.meta.request_id}`)
    expect(body.data).toMatchObject({ capability_id: 'repo.view', code: 'VALIDATION' })
  })

  test('writes once, however often it calls with one key', async () => {
    const meta = { 'signalbox/idempotency_key': 'mcp-1' }
    const first = await call(client, 'issue_create', { ...repo, title: 'By MCP' }, meta)
    const again = await call(client, 'issue_create', { ...repo, title: 'By MCP' }, meta)
    expect(first.isError).toBe(false)
    expect(again.envelope.meta.reason).toBe('IDEMPOTENT_REPLAY')
    expect(again.envelope.data).toEqual(first.envelope.data)
  })

  test('looks up hints', async () => {
    const { envelope } = await call(client, 'repo_view', { ...repo, name: 'nothing-here' })
    const found = await client.callTool({
      name: 'get_hints',
      arguments: { hintIds: [envelope.error.hint_id, '__proto__'] },
    })
    const { data: hints } = JSON.parse((found.content as { text: string }[])[0]?.text ?? '')
    expect(hints.hints[envelope.error.hint_id].action).toEqual(expect.any(String))
    expect(hints.notFound).toEqual(['__proto__'])
  })

  test('cannot call a tool that does not exist', async () => {
    const { isError, envelope } = await call(client, 'toString', {})
    expect(isError).toBe(true)
    expect(envelope.error).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('no tool "toString"'),
    })
  })
})

test('the address can choose the tools and the dialect', async () => {
  const client = await connect(`${gateway.url}/mcp?tools=repo.*,issue.view&profile=compact`)
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['issue_view', 'batch', 'get_hints']))
  expect(names.filter(name => !/^(repo_.*|issue_view|batch|get_hints)$/.test(name))).toEqual([])
  const result = await client.callTool({
    name: 'issue_view',
    arguments: { ...repo, issueNumber: 9999 },
  })
  expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? '')).toMatchObject({
    err: { code: 'NOT_FOUND' },
  })
  await client.close()
})

test('clients of the protocol of 2025 are served too', async () => {
  const send = async (method: string, params: object) => {
    const response = await fetch(`${gateway.url}/mcp?tools=all&profile=default`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const text = await response.text()
    return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''))
  }
  const hello = await send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'old', version: '1' },
  })
  expect(hello.result.serverInfo.name).toBe('signalbox')
  const { result } = await send('tools/call', { name: 'repo_view', arguments: repo })
  expect(JSON.parse(result.content[0].text).ok).toBe(true)
})

test('with gateway keys a client needs one, and its requests belong to it', async () => {
  await using locked = await startTestGateway({ settings: { keys: [KEY] } })
  const stranger = await fetch(`${locked.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(stranger.status).toBe(401)
  expect(await stranger.json()).toMatchObject({ ok: false, error: { code: 'AUTH' } })
  const client = await connect(`${locked.url}/mcp?tools=all&profile=default`, {
    authorization: `Bearer ${KEY.secret}`,
  })
  const { envelope } = await call(client, 'repo_view', repo)
  const { body } = await locked.get(`/v1/requests/${envelope.meta.request_id}`, {
    authorization: `Bearer ${KEY.secret}`,
  })
  expect(body.data.caller).toBe('agent')
  await client.close()
})
