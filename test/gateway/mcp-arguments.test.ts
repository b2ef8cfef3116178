import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openMcpStdio } from '../support/mcp.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const READER = { name: 'reader', secret: 'reader-secret-0123456789', read_only: true }

let gateway: TestGateway
let keyed: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  keyed = await startTestGateway({ settings: { keys: [READER] } })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await keyed[Symbol.asyncDispose]()
})

const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

async function connect(words: string, { url }: TestGateway = gateway): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const headers = { authorization: `Bearer ${READER.secret}` }
  const address = new URL(`${url}/mcp?tools=${words}`)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  closers.push(() => client.close())
  return client
}

/** The start of a program takes long, so that the tests of a selection share one. */
function shared(open: (words: string) => Promise<Client>): (words: string) => Promise<Client> {
  const clients = new Map<string, Promise<Client>>()
  return words => {
    const client = clients.get(words) ?? open(words)
    clients.set(words, client)
    return client
  }
}

const TRANSPORTS = {
  'over HTTP': shared(connect),
  'over stdio': shared(words =>
    openMcpStdio(gateway.sandbox.url, ['--tools', words], close => closers.push(close)),
  ),
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every tool
type Any = any

async function use(client: Client, name: string, args: object | null): Promise<Any> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const [content] = result.content as { text: string }[]
  return JSON.parse(content?.text ?? '')
}

/** The ways to call a capability, with the selection of tools that each needs. */
const WAYS = {
  'a tool of its own': [
    'all',
    (client: Client, id: string, input: object) => use(client, id.replaceAll('.', '_'), input),
  ],
  'the tool call': [
    'search',
    (client: Client, id: string, input: object) => use(client, 'call', { capability: id, input }),
  ],
  'the tool batch': [
    'search',
    async (client: Client, id: string, input: object) => {
      const { data } = await use(client, 'batch', { calls: [{ capability: id, input }] })
      return data.results[0].envelope
    },
  ],
} satisfies Record<string, [string, (client: Client, id: string, input: object) => Promise<Any>]>

const CELLS = Object.entries(TRANSPORTS).flatMap(([transport, open]) =>
  Object.entries(WAYS).map(([way, [words, call]]) => ({ transport, way, open, words, call })),
)

describe.each(CELLS)('arguments as models send them, $transport, by $way', cell => {
  test('null for an optional member means left out', async () => {
    const client = await cell.open(cell.words)
    const input = { ...repo, state: null, first: 2, after: null, labels: null }
    const { ok, data } = await cell.call(client, 'issue.list', input)
    expect({ ok, items: data?.items.length }).toEqual({ ok: true, items: 2 })
  })

  test('null for a required member is refused, by name', async () => {
    const client = await cell.open(cell.words)
    const { error } = await cell.call(client, 'issue.list', { ...repo, owner: null })
    expect(error).toMatchObject({ code: 'VALIDATION', next: { fields: ['owner'] } })
  })

  test('a slip is named with the right word', async () => {
    const client = await cell.open(cell.words)
    const { error } = await cell.call(client, 'issue.view', { ...repo, number: 1 })
    expect(error.message).toContain('Did you mean issueNumber instead of "number"?')
  })
})

describe.each(Object.entries(TRANSPORTS))('%s', (_transport, open) => {
  test.each([
    ['all', 'viewer_view', (answer: Any) => answer.data.login],
    ['all', 'issue_list', (answer: Any) => answer.error.next.fields.join()],
    ['search', 'search', (answer: Any) => answer.error.next.fields.join()],
  ])('among %s, arguments: null of %s is {}', async (words, tool, fact) => {
    const client = await open(words)
    const whole = fact(await use(client, tool, {}))
    expect(whole).toBeTruthy()
    expect(fact(await use(client, tool, null))).toBe(whole)
  })

  test('null for an option of a step means left out', async () => {
    const client = await open('search')
    const calls = [
      { id: 'a', capability: 'issue.list', input: { ...repo, first: 1 }, needs: null, route: null },
      {
        id: null,
        capability: 'issue.view',
        input: { ...repo, issueNumber: { $item: 'number' } },
        for_each: { $from: 'a', path: 'data.items' },
        fields: null,
        idempotency_key: null,
      },
    ]
    const { data } = await use(client, 'batch', { calls, stop_on_error: null, timeout_ms: null })
    expect(data.status).toBe('success')
  })

  test.each([
    ['all', 'issues_view', 'issue_view'],
    ['all', 'issues.view', 'issue_view'],
    ['all', 'get_hint', 'get_hints'],
    ['search', 'issue_view', 'issue.view'],
    ['search', 'issues.view', 'issue.view'],
    ['search', 'Serach', 'search'],
    ['search', 'discribe', 'describe'],
  ])('among %s, the unknown tool %s is NOT_FOUND, and means %s', async (words, name, meant) => {
    const client = await open(words)
    const { error } = await use(client, name, repo)
    expect(error).toMatchObject({ code: 'NOT_FOUND', next: { action: 'fix_input' } })
    const [, names = ''] = /Did you mean ([^?]+)\?/.exec(error.message) ?? []
    expect(names.split(', ')[0]).toBe(meant)
    expect(names.split(', ').length).toBeLessThanOrEqual(5)
  })

  test.each(['issue_view', 'issues.view'])('the unknown capability %s is NOT_FOUND', async id => {
    const client = await open('search')
    const called = await use(client, 'call', { capability: id, input: repo })
    const batched = await use(client, 'batch', { calls: [{ capability: id, input: repo }] })
    for (const { error } of [called, batched.data.results[0].envelope]) {
      expect(error).toMatchObject({ code: 'NOT_FOUND' })
      expect(error.message).toMatch(/Did you mean issue\.view[,?]/)
    }
    const described = await use(client, 'describe', { ids: [id] })
    expect(described.notFound[0]).toMatchObject({
      id,
      likely: expect.arrayContaining(['issue.view']),
    })
  })
})

test.each([
  ['all', 'pr_mrege', /Did you mean pr_merge_status/, /pr_merge[,?]/],
  ['search', 'pr_mrege', /Did you mean pr\.merge\.status/, /pr\.merge[,?]/],
  ['pr.merge.status', 'pr_view', /There is no tool "pr_view"/, /pr_view[,?]/],
])('among %s, an unknown tool means none that the key may not call', async (...row) => {
  const [words, name, meant, hidden] = row
  const client = await connect(words, keyed)
  const { error } = await use(client, name, {})
  expect(error.message).toMatch(meant)
  expect(error.message).not.toMatch(hidden)
})

test('the journal has the call of an unknown tool', async () => {
  const client = await connect('all')
  const { meta } = await use(client, 'issues_view', repo)
  const { body } = await gateway.get(`/v1/requests/${meta.request_id}`)
  expect(body.data).toMatchObject({ capability_id: null, code: 'NOT_FOUND' })
})

test.each(['brief', 'default', 'compact', 'dotbot'])(
  'get_hints answers with data in %s',
  async name => {
    const client = await connect(`all&profile=${name}`)
    const hintIds = ['hint_auth_001', 'toString', '__proto__']
    const { data } = await use(client, 'get_hints', { hintIds })
    expect(Object.keys(data.hints)).toEqual(['hint_auth_001'])
    expect(data.notFound).toEqual(['toString', '__proto__'])
    // `compact` leaves out what is empty.
    const none = name === 'compact' ? {} : { hints: {}, notFound: [] }
    expect((await use(client, 'get_hints', { hintIds: [] })).data).toEqual(none)
  },
)
