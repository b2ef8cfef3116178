import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import { faultsOf, PROVIDERS } from '../cards/providers.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openMcpStdio } from '../support/mcp.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const KEYS = [
  { name: 'plain' },
  { name: 'reader', tools: ['read:issue.*', 'issue.create'] },
  { name: 'searcher', tools: ['search', 'issue.*'] },
  { name: 'denied', deny: ['repo.*'] },
].map(key => ({ ...key, secret: `${key.name}-secret-0123456789` }))

let gateway: TestGateway
let open: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
  open = await startTestGateway()
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
})

async function connect(query: string, key: string | null = null): Promise<Client> {
  const { url } = key === null ? open : gateway
  const headers = key === null ? {} : { authorization: `Bearer ${key}-secret-0123456789` }
  const client = new Client({ name: 'tester', version: '1.2.3' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  return client
}

/** The dialect with everything in it. */
const WHOLE = '?profile=default'

const TRANSPORTS = {
  'over HTTP': (words: string | null) =>
    connect(words === null ? WHOLE : `${WHOLE}&tools=${words}`),
  'over stdio': (words: string | null) =>
    openMcpStdio(open.sandbox.url, [
      '--profile',
      'default',
      ...(words === null ? [] : ['--tools', words]),
    ]),
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every tool
type Any = any

async function use(client: Client, name: string, args: object): Promise<Any> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const [content] = result.content as { text: string }[]
  return JSON.parse(content?.text ?? '')
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

const SEARCH_TOOLS = ['search', 'describe', 'call', 'batch', 'get_hints']
const isReadOf = (part: string) => (card: Card) =>
  card.effect === 'read' && card.id.startsWith(`${part}.`)

/** The words of a selection, and the cards that it offers as tools of their own; null: it offers the tools that search. */
const SELECTIONS: readonly (readonly [string | null, ((card: Card) => boolean) | null])[] = [
  [null, null],
  ['search', null],
  ['search,read:*', null],
  ['all', () => true],
  ['repo.*', ({ id }) => id.startsWith('repo.')],
  ['read:pr.*', isReadOf('pr')],
  ['-pr.merge', ({ id }) => id !== 'pr.merge'],
  ['all,-destructive:*', ({ destructive }) => !destructive],
  [
    'repo.*,read:pr.*,-pr.merge,-repo.view',
    card => (card.id.startsWith('repo.') && card.id !== 'repo.view') || isReadOf('pr')(card),
  ],
]

describe.each(Object.entries(TRANSPORTS))('%s', (_, open_) => {
  test.each(SELECTIONS)('the tools are those of %j', async (words, offers) => {
    const client = await open_(words)
    const cards = offers === null ? [] : open.engine.catalog.all().filter(offers)
    const own = offers === null ? SEARCH_TOOLS : ['batch', 'get_hints']
    expect(await namesOf(client)).toEqual([
      ...cards.map(({ id }) => id.replaceAll('.', '_')),
      ...own,
    ])
  })

  test('finds, describes and calls in the mode search', async () => {
    const client = await open_(null)
    const { capabilities } = await use(client, 'search', { query: 'clsoe an isue', limit: 3 })
    expect(capabilities[0]).toEqual({
      id: 'issue.close',
      effect: 'idempotent',
      does: expect.any(String),
      input: expect.stringContaining('owner: string, name: string, issueNumber: integer'),
    })
    expect(capabilities).toHaveLength(3)
    const described = await use(client, 'describe', { ids: ['repo.view', 'repo_view'] })
    expect(described).toMatchObject({
      capabilities: [{ id: 'repo.view', effect: 'read', input: { required: ['owner', 'name'] } }],
      notFound: [{ id: 'repo_view', likely: expect.arrayContaining(['repo.view']) }],
    })
    const called = await use(client, 'call', { capability: 'repo.view', input: repo })
    expect(called).toMatchObject({ ok: true, data: { name: 'hello-world' } })
    const hints = await use(client, 'get_hints', { hintIds: ['hint_auth_001', 'none'] })
    expect(hints.data).toMatchObject({ hints: { hint_auth_001: {} }, notFound: ['none'] })
  })

  test.each(['search', 'all', 'issue.*'])('runs a batch with %j', async words => {
    const client = await open_(words)
    const { data } = await use(client, 'batch', {
      calls: [
        { id: 'list', capability: 'issue.list', input: { ...repo, first: 2 }, route: 'rest' },
        {
          capability: 'issue.view',
          for_each: { $from: 'list', path: 'data.items' },
          input: { ...repo, issueNumber: { $item: 'number' } },
          fields: 'number',
        },
        { capability: 'issue.view', input: { ...repo, issueNumber: 99_999 } },
      ],
      stop_on_error: null,
    })
    expect(data).toMatchObject({ status: 'partial', succeeded: 3, failed: 1 })
    const ids = data.results.map(({ request_id }: Any) => request_id)
    expect(ids).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9A-Z]{26}$/)))
    expect(data.results[1].envelope.data).toEqual({ number: expect.any(Number) })
  })

  test('refuses faulty arguments in an envelope that names the member', async () => {
    const client = await open_(null)
    for (const [name, args, path] of [
      ['search', {}, 'query'],
      ['search', { query: 'x', effect: 'write' }, 'effect'],
      ['describe', { ids: 'repo.view' }, 'ids'],
      ['call', { input: {} }, 'capability'],
      ['call', { capability: 'repo.view', input: repo, route: 'smoke' }, 'route'],
      ['call', { capability: 'repo.view', owner: 'octo-org' }, 'owner'],
      ['batch', { calls: [] }, 'calls'],
      ['batch', { calls: [{ capability: 'repo.view' }], retries: 1 }, 'retries'],
      ['get_hints', {}, 'hintIds'],
      ['get_hints', { hintIds: 'hint_auth_001' }, 'hintIds'],
      ['get_hints', { ids: ['hint_auth_001'] }, 'hintIds'],
      ['get_hints', { hintIds: Array.from({ length: 101 }, () => 'none') }, 'hintIds'],
    ] as const) {
      const { error } = await use(client, name, args)
      expect([name, error?.code, error?.details.fields[0].path]).toEqual([name, 'VALIDATION', path])
    }
  })

  test('holds every tool to the selection', async () => {
    const client = await open_('search,issue.*,-issue.create')
    const { capabilities } = await use(client, 'search', { query: '', limit: 500 })
    const ids = capabilities.map(({ id }: Any) => id)
    const expected = open.engine.catalog.all().map(({ id }) => id)
    expect(ids).toEqual(expected.filter(id => id.startsWith('issue.') && id !== 'issue.create'))
    const create = { capability: 'issue.create', input: { ...repo, title: 'No.' } }
    const refused = { error: { code: 'FORBIDDEN', details: { reason: 'NOT_OFFERED' } } }
    expect(await use(client, 'call', create)).toMatchObject(refused)
    expect((await use(client, 'batch', { calls: [create] })).data.results).toMatchObject([
      { http_status: 403, envelope: refused },
    ])
    const described = await use(client, 'describe', { ids: ['issue.create', 'issue.view'] })
    expect(described.capabilities.map(({ id }: Any) => id)).toEqual(['issue.view'])
    expect(described.notFound.map(({ id }: Any) => id)).toEqual(['issue.create'])
    const found = await use(client, 'search', { query: 'create issue', limit: 500 })
    expect(found.capabilities.map(({ id }: Any) => id)).not.toContain('issue.create')
    const unknown = await use(client, 'call', { capability: 'issue.creat', input: {} })
    expect(unknown.error).toMatchObject({ code: 'NOT_FOUND' })
    expect(unknown.error.message).not.toMatch(/issue\.create\b/)
  })

  test('tells how to call a capability that is no tool', async () => {
    const client = await open_(null)
    const { error } = await use(client, 'repo_view', repo)
    expect(error).toMatchObject({ code: 'NOT_FOUND' })
    expect(error.message).toMatch(
      /no tool "repo_view"\. Did you mean repo\.view\? Call it as \{"capability":"repo\.view"/,
    )
    const listed = await open_('issue.*')
    for (const name of ['repo_view', 'call', 'search', 'toString']) {
      const refused = await use(listed, name, repo)
      expect(refused.error).toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringMatching(/^There is no tool/),
      })
    }
  })
})

test.each([
  ['plain', '', SEARCH_TOOLS],
  ['reader', '?tools=issue.create,pr.merge', ['issue_create', 'batch', 'get_hints']],
  ['reader', '?tools=search', SEARCH_TOOLS],
  ['searcher', '', SEARCH_TOOLS],
  ['searcher', '?tools=issue.close,repo.view', ['issue_close', 'batch', 'get_hints']],
  ['denied', '?tools=repo.view,issue.view', ['issue_view', 'batch', 'get_hints']],
])('the key %s at /mcp%s has its own tools', async (key, query, expected) => {
  expect(await namesOf(await connect(query, key))).toEqual(expected)
})

test('the tools of a key hold at every address, and only over MCP', async () => {
  const merge = { capability: 'pr.merge', input: { ...repo, prNumber: 1 } }
  for (const query of [`${WHOLE}&tools=search`, `${WHOLE}&tools=search,all`]) {
    const { error } = await use(await connect(query, 'reader'), 'call', merge)
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'NOT_OFFERED' } })
  }
  const headers = { authorization: 'Bearer reader-secret-0123456789' }
  expect((await gateway.call('repo.view', repo, { headers })).body.ok).toBe(true)
})

test('a key reads why it may not call a tool', async () => {
  const { error } = await use(await connect(`${WHOLE}&tools=all`, 'denied'), 'repo_view', repo)
  expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'KEY_FORBIDDEN' } })
})

test('in the mode search, errors and suggestions name the tool that calls', async () => {
  const client = await connect(WHOLE)
  const { meta } = await use(client, 'call', {
    capability: 'issue.view',
    input: { ...repo, issueNumber: 1 },
  })
  const [next] = meta.next
  expect(next).toMatchObject({ capability: 'issue.comments.list', tool: 'call' })
  expect(await use(client, next.tool, next)).toMatchObject({ error: { code: 'VALIDATION' } })
  const { capability, input } = next
  expect(await use(client, next.tool, { capability, input })).toMatchObject({ ok: true })
  const hidden = await connect(`${WHOLE}&tools=search,issue.view`)
  const alone = await use(hidden, 'call', {
    capability: 'issue.view',
    input: { ...repo, issueNumber: 1 },
  })
  expect(alone.meta).not.toHaveProperty('next')
})

test('the five tools cost less than 2,000 tokens', async () => {
  const { tools } = await (await connect('')).listTools()
  expect(countTokens(JSON.stringify(tools))).toBeLessThan(2000)
})

test.each(PROVIDERS.map(provider => [provider.name, provider] as const))(
  'the tools keep the limits that %s publishes',
  async (_, provider) => {
    for (const query of ['', '?tools=all']) {
      const { tools } = await (await connect(query)).listTools()
      expect(tools.flatMap(tool => faultsOf(provider, tool))).toEqual([])
    }
  },
)

test('every parameter of the five tools has a description', async () => {
  const { tools } = await (await connect('')).listTools()
  for (const { name, inputSchema } of tools) {
    for (const [member, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect(schema, `${name}.${member}`).toHaveProperty('description')
    }
  }
})

describe('the tool of a capability takes options as arguments', () => {
  const propertiesOf = async (name: string) => {
    const { tools } = await (await connect('?tools=all')).listTools()
    return Object.keys(tools.find(tool => tool.name === name)?.inputSchema.properties ?? {})
  }

  test.each([
    ['repo_view', ['owner', 'name', 'fields', 'token_budget', 'timeout_ms', 'route']],
    [
      'issue_close',
      ['owner', 'name', 'issueNumber', 'stateReason', 'idempotency_key', 'timeout_ms', 'route'],
    ],
  ])('%s lists those that its effect calls for', async (name, members) => {
    expect((await propertiesOf(name)).filter(member => member !== 'comment')).toEqual(members)
  })

  test('and names the routes of its capability', async () => {
    const { tools } = await (await connect('?tools=all')).listTools()
    const routeOf = (name: string) =>
      tools.find(tool => tool.name === name)?.inputSchema.properties?.route
    expect(routeOf('repo_view')).toMatchObject({ description: 'rest|graphql|cli' })
    expect(routeOf('release_assets_upload')).toBeUndefined()
  })

  test('and takes those that it does not list, over which _meta wins', async () => {
    const client = await connect(`${WHOLE}&tools=all`)
    const args = { ...repo, max_age_ms: 1, route: 'rest', fields: 'name', timeout_ms: null }
    const own = await use(client, 'repo_view', args)
    expect(own).toMatchObject({ data: { name: 'hello-world' }, meta: { route_used: 'rest' } })
    expect(Object.keys(own.data)).toEqual(['name'])
    const result = await client.callTool({
      name: 'repo_view',
      arguments: args,
      _meta: { 'signalbox/route': 'graphql' },
    })
    const { meta } = JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
    expect(meta.route_used).toBe('graphql')
  })

  test('the change happens once per key', async () => {
    const client = await connect('?tools=all')
    const args = { ...repo, title: 'Once', idempotency_key: 'by-argument' }
    const first = await use(client, 'issue_create', args)
    const again = await use(client, 'issue_create', args)
    const call = { capability: 'issue.create', input: { ...repo, title: 'Once' } }
    const named = await use(await connect(''), 'call', { ...call, idempotency_key: 'by-argument' })
    expect(again.data).toEqual(first.data)
    expect(named.data).toEqual(first.data)
  })
})

describe('a call that is written otherwise is named with the right words', () => {
  const CALLS: readonly (readonly [object, readonly string[]])[] = [
    [{ capability: 'repo.view', arguments: repo }, ['Did you mean input instead of "arguments"?']],
    [{ capability: 'repo.view', args: repo }, ['Did you mean input instead of "args"?']],
    [{ capability: 'repo.view', params: repo }, ['Did you mean input instead of "params"?']],
    [
      { name: 'repo.view', arguments: repo },
      ['Did you mean capability instead of "name"?', 'Did you mean input instead of "arguments"?'],
    ],
    [{ tool: 'repo.view', input: repo }, ['Did you mean capability instead of "tool"?']],
    [
      { capability: 'repo.view', owner: 'a', name: 'b' },
      ['Put the members of the capability into'],
    ],
  ]

  test.each(CALLS)('call %j', async (args, words) => {
    const { error } = await use(await connect(''), 'call', args)
    expect(error).toMatchObject({ code: 'VALIDATION', next: { action: 'fix_input' } })
    for (const word of words) expect(error.message).toContain(word)
  })

  test('call with the capability as id', async () => {
    const { error } = await use(await connect(''), 'call', { id: 'repo.view', input: repo })
    expect(error.message).toContain('Did you mean capability instead of "id"?')
  })

  test.each(CALLS)('batch of %j', async (args, words) => {
    const { data } = await use(await connect(''), 'batch', { calls: [args] })
    const { error } = data.results[0].envelope
    for (const word of words) expect(error.message).toContain(word)
  })
})

test('tokenBudget is the same as token_budget at each tool that calls', async () => {
  const args = { ...repo, first: 30, state: 'all' }
  const all = await connect('?tools=all&profile=budgeted')
  const search = await connect('?profile=budgeted')
  const small = await all.callTool({ name: 'issue_list', arguments: { ...args, tokenBudget: 300 } })
  const called = await search.callTool({
    name: 'call',
    arguments: { capability: 'issue.list', input: args, tokenBudget: 300 },
  })
  for (const { content } of [small, called]) {
    expect(countTokens((content as { text: string }[])[0]?.text ?? '')).toBeLessThanOrEqual(315)
  }
})
