import { tmpdir } from 'node:os'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { SIGNALBOX } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const NEW_ISSUE = { ...REPOSITORY, title: 'Too many' }

/** Calls that make one request or several, and whether they would change something. */
const CALLS = [
  { name: 'repo_view', input: REPOSITORY, changes: false },
  { name: 'issue_create', input: NEW_ISSUE, changes: true },
  { name: 'call', input: { capability: 'issue.create', input: NEW_ISSUE }, changes: true },
  {
    name: 'batch',
    input: { calls: [{ capability: 'issue.create', input: NEW_ISSUE }] },
    changes: true,
  },
] as const

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

async function connect(tools: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SIGNALBOX, 'mcp', '--tools', tools, '--profile', 'default'],
    env: { PATH: process.env.PATH ?? '', ...githubEnv(sandbox.url), SIGNALBOX_MAX_CALLS: '1' },
    cwd: tmpdir(),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** The `error` of each call in an answer. */
async function errorsOf(client: Client, name: string, input: object): Promise<readonly unknown[]> {
  const { content } = await client.callTool({ name, arguments: { ...input } })
  const [first] = content as { text: string }[]
  const answer = JSON.parse(first?.text ?? '')
  const results: readonly { error?: unknown }[] = answer.data?.results ?? answer.results ?? [answer]
  return results.map(({ error = null }) => error)
}

test.each(['all', 'search'])(
  'signalbox mcp --tools %s refuses calls over max_calls, and takes them again',
  async tools => {
    sandbox.reset()
    const client = await connect(tools)
    const { tools: listed } = await client.listTools()
    const offered = CALLS.filter(({ name }) => listed.some(tool => tool.name === name))
    expect(offered.length).toBeGreaterThan(1)
    sandbox.faults.set([{ on: { path: '/issues/1$' }, do: { hang: true }, times: 3 }])
    const [name, input] =
      tools === 'all'
        ? ['issue_view', { ...REPOSITORY, issueNumber: 1 }]
        : ['call', { capability: 'issue.view', input: { ...REPOSITORY, issueNumber: 1 } }]
    const leaving = new AbortController()
    const hanging = client.callTool({ name, arguments: input }, { signal: leaving.signal })
    await expect.poll(() => sandbox.log.rows().length, { timeout: 30_000 }).toBeGreaterThan(0)

    for (const call of offered) {
      expect([call.name, ...(await errorsOf(client, call.name, call.input))]).toMatchObject([
        call.name,
        {
          code: 'SERVER',
          retryable: true,
          write_outcome: call.changes ? 'not_applied' : null,
          details: { refused: 'calls' },
        },
      ])
    }
    await client.ping()
    expect(sandbox.log.rows().filter(({ method }) => method === 'POST')).toEqual([])

    leaving.abort()
    await hanging.catch(() => {})
    for (const call of offered) {
      const taken = () => errorsOf(client, call.name, call.input)
      await expect.poll(taken, { timeout: 30_000 }).toEqual([null])
    }
  },
)
