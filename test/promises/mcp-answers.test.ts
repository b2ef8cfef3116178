import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openMcpStdio } from '../support/mcp.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>['versionNegotiation']

async function connect(query: string, versionNegotiation?: Negotiation): Promise<Client> {
  const options = versionNegotiation === undefined ? {} : { versionNegotiation }
  const client = new Client({ name: 'tester', version: '1.2.3' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp${query}`)))
  onTestFinished(() => client.close())
  return client
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every tool
type Any = any

async function textOf(client: Client, name: string, args: object): Promise<string> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  return (result.content as { text: string }[])[0]?.text ?? ''
}

const TRANSPORTS = {
  'over HTTP': () => connect('?tools=all'),
  'over stdio': () => openMcpStdio(gateway.sandbox.url, ['--tools', 'all']),
}

describe.each(Object.entries(TRANSPORTS))(
  '%s, an answer that nobody asked to be whole',
  (_, open) => {
    test('costs at most 15 tokens beside the data', async () => {
      const client = await open()
      for (const [name, args] of [
        ['repo_view', repo],
        ['issue_view', { ...repo, issueNumber: 1 }],
        ['issue_list', { ...repo, first: 3 }],
        ['issue_create', { ...repo, title: 'Brief' }],
      ] as const) {
        const text = await textOf(client, name, args)
        const { ok, data } = JSON.parse(text)
        expect(ok).toBe(true)
        const beside = countTokens(text) - countTokens(JSON.stringify(data))
        expect([name, beside <= 15]).toEqual([name, true])
      }
    })

    test('says no more when another route answered', async () => {
      const client = await open()
      gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
      expect(Object.keys(JSON.parse(await textOf(client, 'repo_view', repo)))).toEqual([
        'ok',
        'others',
        'data',
        'end',
      ])
    })

    test('says after a failure what to do', async () => {
      const client = await open()
      const gone = JSON.parse(await textOf(client, 'repo_view', { ...repo, name: 'nowhere' }))
      expect(gone).toEqual({
        ok: false,
        error: {
          code: 'NOT_FOUND',
          message: expect.any(String),
          retryable: false,
          hint_id: 'hint_not_found_001',
          next: expect.objectContaining({ action: expect.any(String) }),
        },
        meta: { request_id: expect.stringMatching(/^[0-9A-Z]{26}$/) },
      })
      const headers = { 'retry-after': '7' }
      gateway.sandbox.faults.set([{ on: {}, do: { status: 429, headers }, times: 99 }])
      const waiting = JSON.parse(await textOf(client, 'issue_create', { ...repo, title: 'Wait' }))
      expect(waiting.error).toMatchObject({
        retryable: true,
        retry_after_ms: expect.any(Number),
        write_outcome: 'not_applied',
        next: { action: 'wait' },
      })
    })
  },
)

describe('an outputSchema that is asked for', () => {
  test.each(PROFILE_NAMES)('holds for success and failure in %s', async profile => {
    const client = await connect(`?tools=all&outputSchema=true&profile=${profile}`)
    // The client checks each result against the schema of its tool.
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([])
    for (const [name, args, isError] of [
      ['repo_view', repo, false],
      ['repo_view', { ...repo, fields: 'name' }, false],
      ['issue_list', { ...repo, token_budget: 1000 }, false],
      ['repo_view', { ...repo, name: 'nowhere' }, true],
      ['repo_view', { owner: 1 }, true],
      ['batch', { calls: [{ capability: 'repo.view', input: repo }] }, false],
      ['batch', { calls: 1 }, true],
      ['get_hints', { hintIds: ['hint_auth_001'] }, false],
      ['get_hints', {}, true],
    ] as const) {
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
      const [content] = result.content as { text: string }[]
      expect([name, result.isError]).toEqual([name, isError])
      expect(result.structuredContent).toEqual(JSON.parse(content?.text ?? ''))
    }
  })

  test('holds for the tools that search, over stdio too', async () => {
    const args = ['--output-schema']
    const places = [connect('?outputSchema=true'), openMcpStdio(gateway.sandbox.url, args)]
    for (const client of await Promise.all(places)) {
      const { tools } = await client.listTools()
      expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
      for (const [name, input] of [
        ['search', { query: 'issue' }],
        ['search', {}],
        ['describe', { ids: ['repo.view', 'none.such'], output: true }],
        ['call', { capability: 'repo.view', input: repo }],
        ['call', { capability: 'repo.vew' }],
      ] as const) {
        const result = await client.callTool({ name, arguments: input as Record<string, unknown> })
        expect(result.structuredContent).toBeTypeOf('object')
      }
    }
  })

  test('is left out otherwise', async () => {
    const { tools } = await (await connect('')).listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([])
  })
})

test('titles and annotations tell people and hosts what a tool does', async () => {
  const { tools } = await (await connect('?tools=all')).listTools()
  const cards = gateway.engine.catalog.all()
  for (const card of cards) {
    const tool = tools.find(({ title }) => title === card.id)
    expect([card.id, tool?.annotations]).toEqual([
      card.id,
      {
        readOnlyHint: card.effect === 'read',
        destructiveHint: card.destructive,
        idempotentHint: card.effect !== 'write',
        openWorldHint: true,
      },
    ])
  }
  const own = await (await connect('')).listTools()
  expect(own.tools.map(({ name, annotations = {} }) => [name, annotations.readOnlyHint])).toEqual([
    ['search', true],
    ['describe', true],
    ['call', false],
    ['batch', false],
    ['get_hints', true],
  ])
})

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

interface Sent {
  readonly version: string
  readonly headers?: Readonly<Record<string, string>>
}

function post(message: object, { version, headers = {} }: Sent): Promise<Response> {
  return fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'mcp-protocol-version': version,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
}

const LIST = { id: 1, method: 'tools/list', params: {} }
/** The facts that a client of 2026 gives about itself in each request. */
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe.each([...VERSIONS, '2026-07-28'])('a client of %s', version => {
  const isModern = version.startsWith('2026')
  const message = isModern ? { ...LIST, params: { _meta: MODERN } } : LIST
  const names = isModern ? { 'mcp-method': 'tools/list' } : {}

  test.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json;q=0.9, */*;q=0.1', 'application/json'],
    ['text/event-stream;q=0, application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', isModern ? 'application/json' : 'text/event-stream'],
  ])('that accepts %s gets %s', async (accept, type) => {
    const response = await post(message, { version, headers: { ...names, accept } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    const text = await response.text()
    const json = type === 'application/json' ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
    expect(JSON.parse(json)).toMatchObject({
      id: 1,
      result: { tools: [{ name: 'search' }, {}, {}, {}, {}] },
    })
  })

  test('that accepts neither type is refused', async () => {
    const headers = { ...names, accept: 'text/html' }
    const { status } = await post(message, { version, headers })
    expect(status).toBe(isModern ? 200 : 406)
  })
})

/** The codes of the calls in the journal, once there are any. */
async function recorded(): Promise<Any[]> {
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await gateway.get('/v1/requests?limit=1')
    const [row] = body.data.items
    if (row) return [row.capability_id, row.code]
    await sleep(50)
  }
  return []
}

const SLOW = [{ on: {}, do: { delay_ms: 60_000 }, times: 99 }]
const CALL = { name: 'call', arguments: { capability: 'viewer.view', timeout_ms: 50_000 } }

describe('a cancelled read ends', () => {
  const begun = async (count: number) => {
    for (let tries = 0; tries < 200 && gateway.sandbox.log.rows().length === count; tries++) {
      await sleep(25)
    }
  }

  test.each(VERSIONS)('for a client of %s that says so', async version => {
    const hello = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    const first = await post({ id: 0, method: 'initialize', params: hello }, { version })
    const session = first.headers.get('mcp-session-id') ?? ''
    const headers = { 'mcp-session-id': session }
    const strangers = { 'mcp-session-id': 'another' }
    gateway.sandbox.faults.set(SLOW)
    const count = gateway.sandbox.log.rows().length
    const call = post({ id: 7, method: 'tools/call', params: CALL }, { version, headers })
    await begun(count)
    const cancel = { method: 'notifications/cancelled', params: { requestId: 7 } }
    // The same id of another client is another call.
    expect((await post(cancel, { version, headers: strangers })).status).toBe(202)
    expect((await post(cancel, { version, headers })).status).toBe(202)
    const answer = await call
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(await recorded()).toEqual(['viewer.view', 'CANCELLED'])
  })

  test.each([
    ['of 2026', { mode: { pin: '2026-07-28' } }],
    ['of 2025', { mode: 'legacy' }],
  ] as const)('for the official client %s', async (_, negotiation) => {
    const client = await connect('', negotiation as Negotiation)
    await client.listTools()
    gateway.sandbox.faults.set(SLOW)
    const count = gateway.sandbox.log.rows().length
    const controller = new AbortController()
    const call = client.callTool(CALL, { signal: controller.signal }).catch(() => 'left')
    await begun(count)
    controller.abort()
    expect(await call).toBe('left')
    expect(await recorded()).toEqual(['viewer.view', 'CANCELLED'])
  })
})

/** The uses of tools that an answer suggests, in the members that a dialect has for them. */
const SUGGESTED: Readonly<
  Record<string, (answer: Any) => readonly { tool: string; args: object }[]>
> = {
  default: ({ meta }) =>
    meta.next.map(({ tool, capability, input }: Any) => ({
      tool,
      args: tool === 'call' ? { capability, input } : input,
    })),
  codegraph: ({ data }) => data.meta.nextQuerySuggestion,
  dotbot: ({ intent, actions }) =>
    [{ tool: intent.recommended_next, parameters: intent.parameters }, ...actions].map(
      ({ tool, parameters }) => ({ tool, args: parameters }),
    ),
}

describe.each(Object.entries(SUGGESTED))('in the dialect %s', (profile, usesOf) => {
  test.each(['search', 'all', 'issue.*'])(
    'suggested uses of tools can be sent as they stand, with tools=%s',
    async tools => {
      const client = await connect(`?profile=${profile}&tools=${tools}`)
      const input = { ...repo, issueNumber: 1 }
      const [name, args] =
        tools === 'search' ? ['call', { capability: 'issue.view', input }] : ['issue_view', input]
      const uses = usesOf(JSON.parse(await textOf(client, name as string, args as object)))
      expect(uses.length).toBeGreaterThan(0)
      for (const use of uses) {
        const result = await client.callTool({ name: use.tool, arguments: use.args as never })
        expect(result.isError).toBe(false)
      }
    },
  )
})

test.each([
  ['brief', ['ok', 'data']],
  ['compact', ['ok', 'data']],
  ['default', ['ok', 'data', 'error', 'meta']],
])('the tools of the gateway answer with the members of %s', async (profile, members) => {
  const client = await connect(`?profile=${profile}`)
  const uses = [
    ['get_hints', { hintIds: ['hint_not_found_001'] }],
    ['batch', { calls: [{ capability: 'repo.view', input: repo }] }],
    ['batch', { calls: [{ capability: 'repo.view', input: repo }], explain: true }],
  ] as const
  for (const [name, args] of uses) {
    expect(Object.keys(JSON.parse(await textOf(client, name, args)))).toEqual(members)
  }
})
