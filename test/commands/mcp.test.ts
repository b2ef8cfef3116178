import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { runHere } from './support/run-here.ts'
import { SIGNALBOX, signalbox, temporaryDirectory } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const repo = { owner: 'octo-org', name: 'hello-world' }

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const variables = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  ...githubEnv(sandbox.url),
  ...more,
})

const made = (title: string) =>
  [...(sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? [])].filter(
    item => item.title === title,
  )

async function connect(
  args: readonly string[] = ['--tools', 'all', '--profile', 'default'],
): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SIGNALBOX, 'mcp', ...args],
    env: variables(),
    cwd: tmpdir(),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, input: object, meta: object = {}) {
  const result = await client.callTool({
    name,
    arguments: input as Record<string, unknown>,
    _meta: meta as Record<string, unknown>,
  })
  const [content] = result.content as { text: string }[]
  return { isError: result.isError === true, envelope: JSON.parse(content?.text ?? '') }
}

/** A client without a library, which sees every line of the output. */
function converse(env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [SIGNALBOX, 'mcp', '--tools', 'all', '--profile', 'default'],
    {
      env: variables(env),
      cwd: tmpdir(),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const log = text(child.stderr)
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (id: number, method: string, params: object) => {
    send({ id, method, params })
    const { value } = await answers.next()
    return JSON.parse(value as string)
  }
  return { child, send, ask, log, ended: endOf(child) }
}

async function endOf(child: ChildProcess): Promise<unknown> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'by-hand', version: '1' },
}

test('a client lists the capabilities as tools, reads, gets a fallback, and writes once', async () => {
  const client = await connect()
  expect(client.getInstructions()).toMatch(/error\.next/)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['repo_view', 'get_hints']))
  const read = await call(client, 'repo_view', repo)
  expect(read).toMatchObject({ isError: false, envelope: { ok: true, data: { name: repo.name } } })
  sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
  const { envelope } = await call(client, 'issue_view', { ...repo, issueNumber: 1 })
  expect(envelope.meta).toMatchObject({ route_used: 'graphql', reason: 'CARD_FALLBACK' })
  sandbox.faults.set([])
  const key = { 'signalbox/idempotency_key': 'once' }
  const first = await call(client, 'issue_create', { ...repo, title: 'By stdio' }, key)
  const again = await call(client, 'issue_create', { ...repo, title: 'By stdio' }, key)
  expect(again.envelope.data).toEqual(first.envelope.data)
  expect(made('By stdio')).toHaveLength(1)
})

test('a failed call answers with an envelope', async () => {
  const client = await connect()
  const gone = await call(client, 'repo_view', { ...repo, name: 'nowhere' })
  expect(gone).toMatchObject({ isError: true, envelope: { error: { code: 'NOT_FOUND' } } })
  const option = await call(client, 'repo_view', repo, { 'signalbox/rout': 'rest' })
  expect(option.envelope).toMatchObject({
    error: { code: 'VALIDATION' },
    meta: { capability_id: 'repo.view' },
  })
  const none = await call(client, 'no_such_tool', {})
  expect(none).toMatchObject({ isError: true, envelope: { error: { code: 'NOT_FOUND' } } })
})

test('options choose the tools and the dialect', async () => {
  const client = await connect(['--tools', 'repo.view,issue.*', '--profile', 'dotbot'])
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names.filter(name => !/^(repo_view|issue_.*|batch|get_hints)$/.test(name))).toEqual([])
  const { envelope } = await call(client, 'repo_view', repo)
  expect(envelope).toMatchObject({ status: 'ok', audit: { host: 'tester/1.2.3' } })
})

test.each(['nothing.*', 'repo.view,repo.vew', '', 'search,-repo.vew'])(
  'the selection %j, which matches nothing, is refused',
  async tools => {
    const { code, stdout, stderr } = await runHere(['mcp', '--tools', tools], variables())
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/--tools ".*" (selects no capability|is no selection)/)
  },
)

test('standard output has the protocol only, even with all logs on', async () => {
  const { child, send, ask, log, ended } = converse({ SIGNALBOX_LOG_LEVEL: 'trace' })
  expect(await ask(1, 'initialize', HELLO)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'signalbox' } },
  })
  send({ method: 'notifications/initialized' })
  child.stdin.write('{"this":"is no message"}\n')
  sandbox.faults.set([{ on: {}, do: { reset: 'before' }, times: 3 }])
  const params = { name: 'repo_view', arguments: repo }
  const { id, result } = await ask(2, 'tools/call', params)
  expect(id).toBe(2)
  expect(JSON.parse(result.content[0].text)).toMatchObject({ meta: { capability_id: 'repo.view' } })
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(await log).toMatch(/cannot read or send a message/)
})

test('it ends when its client has gone, after the running write', async () => {
  await using directory = await temporaryDirectory()
  const journal = join(directory.path, 'journal.sqlite')
  const { child, send, ask, ended } = converse({ SIGNALBOX_JOURNAL: journal })
  await ask(1, 'initialize', HELLO)
  sandbox.faults.set([{ on: { method: 'POST' }, do: { delay_ms: 1500 } }])
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'issue_create', arguments: { ...repo, title: 'Seen through' } },
  })
  await expect.poll(() => sandbox.log.rows().length, { timeout: 20_000 }).toBe(1)
  child.stdin.end()
  child.stdout.destroy()
  expect(await ended).toBe(0)
  expect(made('Seen through')).toHaveLength(1)
  const { stdout } = await signalbox(['requests', '--journal', journal, '--json'])
  expect(stdout).toContain('issue.create')
  expect(JSON.parse(stdout)).toMatchObject([{ ok: true, capability_id: 'issue.create' }])
})

test('a write that hangs at SIGTERM is cut off and recorded', async () => {
  await using directory = await temporaryDirectory()
  const journal = join(directory.path, 'journal.sqlite')
  sandbox.faults.set([{ on: { method: 'POST' }, do: { delay_ms: 60_000 } }])
  const { child, send, ask, ended, log } = converse({
    SIGNALBOX_JOURNAL: journal,
    SIGNALBOX_SHUTDOWN_MS: '500',
  })
  await ask(1, 'initialize', HELLO)
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'issue_create', arguments: { ...repo, title: 'Cut off' } },
  })
  await expect.poll(() => sandbox.log.rows().length, { timeout: 20_000 }).toBe(1)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(await log).toContain('running calls are cut off')
  const { stdout } = await signalbox(['requests', '--journal', journal, '--json'])
  expect(JSON.parse(stdout)).toMatchObject([
    { capability_id: 'issue.create', code: 'SERVER', write_outcome: 'unknown' },
  ])
})

test('it ends at SIGTERM, and when its client never sends anything', async () => {
  const greeted = converse({})
  await greeted.ask(1, 'initialize', HELLO)
  greeted.child.kill('SIGTERM')
  expect(await greeted.ended).toBe(0)
  const silent = converse({})
  silent.child.stdin.end()
  expect(await silent.ended).toBe(0)
})

test.each([
  ['an unknown dialect', ['--profile', 'klingon'], {}, /klingon/],
  ['an invalid setting', [], { SIGNALBOX_RETRIES: 'many' }, /SIGNALBOX_RETRIES/],
])('%s stops the start with a message on standard error', async (_name, args, env, message) => {
  const { code, stdout, stderr } = await signalbox(['mcp', ...args], variables(env))
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('lines that are no messages, and lists of messages, are answered', async () => {
  const { child, ask } = converse(githubEnv(sandbox.url))
  await ask(1, 'initialize', { ...HELLO, protocolVersion: '2024-11-05' })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await answers.next()).value as string)
  child.stdin.write('{bad json\n\n')
  expect(await next()).toMatchObject({ id: null, error: { code: -32700 } })
  child.stdin.write('[]\n')
  expect(await next()).toMatchObject({ id: null, error: { code: -32600 } })
  const pings = [5, 6].map(id => ({ jsonrpc: '2.0', id, method: 'ping' }))
  child.stdin.write(`${JSON.stringify([...pings, { id: 7, method: 7 }])}\n`)
  const three = [await next(), await next(), await next()]
  const byId = new Map(three.map(answer => [answer.id, answer]))
  expect(byId.get(5)).toHaveProperty('result')
  expect(byId.get(6)).toHaveProperty('result')
  expect(byId.get(7)).toMatchObject({ error: { code: -32600 } })
})
