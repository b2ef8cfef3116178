import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SIGNALBOX, signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'

// Commands are whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const secretOf = (name: string) => `${name}-secret-0123456789`
const key = (name: string, more: object = {}) => ({ name, secret: secretOf(name), ...more })
const KEYS = [
  key('asked', { approve: ['write:*'], approve_by: 'elicitation' }),
  key('strict', { approve: ['write:*'] }),
  key('chief', { operator: true }),
] as never[]
const REPO = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
let directory = ''
let env: Record<string, string> = {}
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'elicitation-'))
  const journal = join(directory, 'data', 'journal.sqlite')
  gateway = await startTestGateway({ settings: { keys: KEYS, journal } })
  const config = join(directory, 'signalbox.yaml')
  await writeFile(config, JSON.stringify({ keys: KEYS }))
  env = {
    ...githubEnv(gateway.sandbox.url),
    PATH: process.env.PATH ?? '',
    SIGNALBOX_CONFIG: config,
    SIGNALBOX_JOURNAL: journal,
  }
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>['versionNegotiation']
const MODERN: Negotiation = { mode: { pin: '2026-07-28' } }

interface Connection {
  readonly client: Client
  /** The questions that the person has got. */
  readonly questions: ElicitRequest['params'][]
}

/** A client whose person gives this answer; null for one that cannot ask. */
function clientOf(answer: ElicitResult | null, versionNegotiation?: Negotiation): Connection {
  const questions: ElicitRequest['params'][] = []
  const client = new Client(
    { name: 'tester', version: '1.0.0' },
    {
      capabilities: answer === null ? {} : { elicitation: { form: {} } },
      ...(versionNegotiation === undefined ? {} : { versionNegotiation }),
    },
  )
  if (answer !== null) {
    client.setRequestHandler('elicitation/create', request => {
      questions.push(request.params)
      return answer
    })
  }
  return { client, questions }
}

/** The ways on which a client of this time can ask its person. */
const WAYS = {
  'HTTP of 2026': async (name: string, answer: ElicitResult | null) => {
    const connection = clientOf(answer, MODERN)
    const url = new URL(`${gateway.url}/mcp?profile=default`)
    const headers = { authorization: `Bearer ${secretOf(name)}` }
    await connection.client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
    )
    return connection
  },
  'stdio of 2026': (name: string, answer: ElicitResult | null) => overStdio(name, answer, MODERN),
  'stdio of 2025': (name: string, answer: ElicitResult | null) =>
    overStdio(name, answer, { mode: 'legacy' }),
} as const

/** Its own journal is in memory, and the approvals are where a gateway in this folder would have them. */
async function overStdio(name: string, answer: ElicitResult | null, version?: Negotiation) {
  const connection = clientOf(answer, version)
  const { SIGNALBOX_JOURNAL: _, ...own } = env
  const args = [SIGNALBOX, 'mcp', '--key', name, '--profile', 'default']
  await connection.client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: own, cwd: directory }),
  )
  return connection
}

async function create({ client }: Connection, title: string) {
  const input = { ...REPO, title }
  const args = { capability: 'issue.create', input, reason: 'The "milestone" is due.' }
  const { content } = await client.callTool({ name: 'call', arguments: args })
  const [first] = content
  return JSON.parse(first?.type === 'text' ? first.text : '')
}

const made = () =>
  gateway.sandbox.log
    .rows()
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/issues')).length

const approve = { action: 'accept', content: { decision: 'approve', note: 'Go on.' } } as const

describe.each(Object.entries(WAYS))('over %s', (way, connect) => {
  const open = async (name: string, answer: ElicitResult | null) => {
    const connection = await connect(name, answer)
    onTestFinished(() => connection.client.close())
    return connection
  }

  test('the person at the client approves the call, which then runs once', async () => {
    const connection = await open('asked', approve)
    const before = made()
    const title = `Approved over ${way}`
    const done = await create(connection, title)
    expect(done).toMatchObject({ ok: true, data: { title } })
    expect(made()).toBe(before + 1)
    expect(connection.questions).toHaveLength(1)
    const message = connection.questions[0]?.message
    expect(message).toContain('May asked call issue.create?')
    expect(message).toContain('Reason given: "The \\"milestone\\" is due."')
    expect(message).toContain(`"title":"${title}"`)

    const shown = await signalbox(['approvals', 'show', done.meta.approval_id], env)
    expect(JSON.parse(shown.stdout)).toMatchObject({
      status: 'used',
      caller: 'asked',
      decided_by: '(client of asked)',
      note: 'Go on.',
    })
    const audit = await signalbox(['audit', '--subject', done.meta.approval_id, '--json'], env)
    expect(
      JSON.parse(audit.stdout).map(({ action, actor }: Record<string, string>) => [action, actor]),
    ).toEqual([
      ['approval.used', 'asked'],
      ['approval.approved', '(client of asked)'],
      ['approval.asked', 'asked'],
    ])
  })

  test.each([
    ['declines', { action: 'decline' }, 'Declined in the client.'],
    [
      'refuses',
      { action: 'accept', content: { decision: 'refuse', note: 'Not now.' } },
      'Not now.',
    ],
  ] as const)('nothing happens when that person %s', async (how, answer, note) => {
    const connection = await open('asked', answer as ElicitResult)
    const before = made()
    const { error } = await create(connection, `${how} over ${way}`)
    expect(error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining(note) })
    expect(made()).toBe(before)
  })

  test.each([
    ['closes the question', { action: 'cancel' }],
    ['answers neither yes nor no', { action: 'accept', content: { decision: 'maybe' } }],
  ] as const)('the call waits for an operator when that person %s', async (how, answer) => {
    const connection = await open('asked', answer as ElicitResult)
    const before = made()
    const { error } = await create(connection, `${how} over ${way}`)
    expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED' })
    expect(made()).toBe(before)
    const { approval_id } = error.next
    const { stdout } = await signalbox(['approvals', 'show', approval_id], env)
    expect(JSON.parse(stdout).status).toBe('waiting')
  })

  test('nobody is asked where the key does not say so, or the client cannot ask', async () => {
    const strict = await open('strict', approve)
    expect((await create(strict, `Strict over ${way}`)).error.code).toBe('APPROVAL_REQUIRED')
    expect(strict.questions).toEqual([])
    const mute = await open('asked', null)
    expect((await create(mute, `Mute over ${way}`)).error.code).toBe('APPROVAL_REQUIRED')
  })
})

test('a client of 2025 over HTTP cannot be asked, and its call waits', async () => {
  const { client, questions } = clientOf(approve, { mode: 'legacy' })
  onTestFinished(() => client.close())
  const headers = { authorization: `Bearer ${secretOf('asked')}` }
  const url = new URL(`${gateway.url}/mcp?profile=default`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { error } = await create({ client, questions }, 'Legacy')
  expect(error.code).toBe('APPROVAL_REQUIRED')
  expect(questions).toEqual([])
})

test('an answer to another question approves nothing', async () => {
  const headers = {
    authorization: `Bearer ${secretOf('asked')}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'call',
  }
  const send = async (title: string, more: object) => {
    const params = {
      name: 'call',
      arguments: { capability: 'issue.create', input: { ...REPO, title } },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      },
      ...more,
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const init = { method: 'POST', headers, body: JSON.stringify(message) }
    const text = await (await fetch(`${gateway.url}/mcp`, init)).text()
    return JSON.parse(text.replace(/^(event: \w+\n)?data: /, ''))
  }
  const before = made()
  const first = await send('The one that was asked about', {})
  const { requestState } = first.result
  expect(first.result.inputRequests.approval.method).toBe('elicitation/create')
  const answer = { inputResponses: { approval: approve }, requestState }
  const other = await send('Another one', answer)
  expect(other.result.resultType).toBe('input_required')
  expect(other.result.requestState).not.toBe(requestState)
  expect(made()).toBe(before)
  expect((await send('The one that was asked about', answer)).result.isError).toBe(false)
  expect(made()).toBe(before + 1)
})

test('a long call shows each of its members, and unseen characters as they are', async () => {
  const { client, questions } = await WAYS['HTTP of 2026']('asked', { action: 'cancel' })
  onTestFinished(() => client.close())
  const input = {
    title: 'Fix\u202e a typo',
    body: 'a'.repeat(3000),
    name: 'hello-world',
    owner: 'octo-org',
  }
  await client.callTool({ name: 'call', arguments: { capability: 'issue.create', input } })
  const message = questions[0]?.message ?? ''
  expect(message).toContain('"owner": "octo-org"')
  expect(message).toContain('"name": "hello-world"')
  expect(message).toContain(String.raw`"title": "Fix\u202e a typo"`)
  expect(message).toContain('(3002 characters)')
})
