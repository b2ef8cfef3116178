import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../client/client.ts'
import { SIGNALBOX, signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'

// Commands are whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'agent-secret-0123456789'
const HEADERS = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
const KEYS = [{ name: 'agent', secret: SECRET, approve: ['write:*'] }]
const REPO = { owner: 'octo-org', name: 'hello-world' }
const REASON = 'Der Meilenstein ist fällig – 期限 🚦'
/** Node.js sends it in bytes that are no UTF-8, as older programs do. */
const LATIN = 'Der Meilenstein ist fällig.'

interface Place {
  readonly gateway: TestGateway
  /** The variables of commands that share the settings of the gateway. */
  readonly env: Record<string, string>
  readonly directory: string
}

/** @param id the approval, when a person has given it */
type Send = (place: Place, input: object, id?: string) => Promise<unknown>

const post = async (place: Place, path: string, body: unknown, headers: object = {}) => {
  const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) }
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of several endpoints
  return (await (await fetch(`${place.gateway.url}${path}`, init)).json()) as any
}

const named = (id: string | undefined, name: string) => (id === undefined ? {} : { [name]: id })

const overMcp =
  (connect: (place: Place) => Promise<Client>, isNamed: boolean): Send =>
  async (place, input, id) => {
    const client = await connect(place)
    const options = { reason: REASON, ...named(id, 'approval_id') }
    const { content } = await client.callTool(
      isNamed
        ? { name: 'call', arguments: { capability: 'issue.create', input, ...options } }
        : { name: 'issue_create', arguments: { ...input, ...options } },
    )
    await client.close()
    const [first] = content
    return JSON.parse(first?.type === 'text' ? first.text : '')
  }

const overHttp = (tools: string) => async (place: Place) => {
  const client = new Client({ name: 'tester', version: '1.0.0' })
  const url = new URL(`${place.gateway.url}/mcp?tools=${tools}&profile=default`)
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: HEADERS } }),
  )
  return client
}

/** Its own journal is in memory, and the approvals are where a gateway in this folder would have them. */
const overStdio = async ({ env, directory }: Place) => {
  const { SIGNALBOX_JOURNAL: _, ...own } = env
  const client = new Client({ name: 'tester', version: '1.0.0' })
  const args = [SIGNALBOX, 'mcp', '--key', 'agent', '--profile', 'default']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: own, cwd: directory }),
  )
  return client
}

const DOORS: Readonly<Record<string, Send>> = {
  HTTP: (place, input, id) =>
    post(place, '/v1/capabilities/issue.create', input, {
      'signalbox-reason': Buffer.from(REASON).toString('latin1'),
      ...named(id, 'signalbox-approval'),
    }),
  'HTTP in Latin-1': (place, input, id) =>
    post(place, '/v1/capabilities/issue.create', input, {
      'signalbox-reason': LATIN,
      ...named(id, 'signalbox-approval'),
    }),
  'the client': ({ gateway }, input, approval) =>
    createClient({ url: gateway.url, key: SECRET }).call('issue.create', input as never, {
      reason: REASON,
      ...(approval === undefined ? {} : { approval }),
    }),
  batch: async (place, input, id) => {
    const call = { capability: 'issue.create', input, reason: REASON, ...named(id, 'approval') }
    const { data } = await post(place, '/v1/batch', { calls: [call] })
    return data.results[0].envelope
  },
  'a tool of MCP': overMcp(overHttp('write:issue.*'), false),
  'the tool call of MCP': overMcp(overHttp('search'), true),
  'MCP over stdio': overMcp(overStdio, true),
  'the command line': async ({ env }, input, id) => {
    const words = Object.entries(input).map(([name, value]) => `${name}=${value}`)
    const options = ['--key', 'agent', '--reason', REASON]
    if (id !== undefined) options.push('--approval', id)
    const { stdout } = await signalbox(['call', 'issue.create', ...words, ...options], env)
    return JSON.parse(stdout)
  },
}

test.each(Object.keys(DOORS))('a person approves a call by %s', async door => {
  const directory = await mkdtemp(join(tmpdir(), 'approval-doors-'))
  const journal = join(directory, 'data', 'journal.sqlite')
  const gateway = await startTestGateway({ settings: { keys: KEYS, journal } })
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })
  const config = join(directory, 'signalbox.yaml')
  await writeFile(config, JSON.stringify({ keys: KEYS }))
  const env = {
    ...githubEnv(gateway.sandbox.url),
    PATH: process.env.PATH ?? '',
    SIGNALBOX_CONFIG: config,
    SIGNALBOX_JOURNAL: journal,
  }
  const input = { ...REPO, title: `By ${door}` }
  const send = (id?: string) => DOORS[door]?.({ gateway, env, directory }, input, id)

  const asked = (await send()) as { error: { next: { approval_id: string } } }
  expect(asked).toMatchObject({
    ok: false,
    error: { code: 'APPROVAL_REQUIRED', retryable: true, next: { action: 'wait' } },
  })
  const id = asked.error.next.approval_id
  const shown = await signalbox(['approvals', '--json'], env)
  expect(JSON.parse(shown.stdout)).toMatchObject([
    {
      approval_id: id,
      caller: 'agent',
      reason: door === 'HTTP in Latin-1' ? LATIN : REASON,
      input,
    },
  ])
  expect((await signalbox(['approvals', 'approve', id], env)).code).toBe(0)
  expect(await send(id)).toMatchObject({ ok: true, data: { title: input.title } })
  expect(await send(id)).toMatchObject({ ok: false, error: { code: 'CONFLICT' } })
})
