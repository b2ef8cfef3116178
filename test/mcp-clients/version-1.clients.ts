import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTarget, REPO, type Target, TRANSPORTS } from './support.ts'

async function connect(target: Target): Promise<Client> {
  const client = new Client({ name: 'version-1', version: '1.0.0' })
  await client.connect(transportOf(target))
  onTestFinished(() => client.close())
  return client
}

function transportOf(target: Target): Transport {
  if ('url' in target) return new StreamableHTTPClientTransport(new URL(target.url)) as Transport
  const { command, args, env } = target
  return new StdioClientTransport({ command, args: [...args], env })
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const [{ text }] = content as [{ text: string }]
  return { isError: isError ?? false, text }
}

describe.each(TRANSPORTS)('the client of version 1, over %s', transport => {
  test('finds, describes and calls a capability', async () => {
    const client = await connect(await openTarget(transport, 'search'))
    const found = await call(client, 'search', { query: 'show a repository' })
    expect(found.text).toContain('repo.view')
    const described = await call(client, 'describe', { ids: ['repo.view'] })
    expect(described.text).toContain('"owner"')
    const done = await call(client, 'call', { capability: 'repo.view', input: REPO })
    expect(done).toMatchObject({ isError: false, text: expect.stringContaining('hello-world') })
  })

  test('is told of a failure', async () => {
    const client = await connect(await openTarget(transport, 'all'))
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(100)
    const failed = await call(client, 'repo_view', { ...REPO, name: 'no-such' })
    expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('NOT_FOUND') })
  })

  test('cancels a call that runs', async () => {
    const target = await openTarget(transport, 'search')
    const client = await connect(target)
    const { sandbox } = target
    sandbox.faults.set([{ on: {}, do: { delay_ms: 60_000 }, times: 1 }])
    const controller = new AbortController()
    const slow = { name: 'call', arguments: { capability: 'viewer.view' } }
    const left = client.callTool(slow, undefined, { signal: controller.signal }).catch(() => 'left')
    await expect.poll(() => sandbox.log.rows().length, { timeout: 20_000 }).toBe(1)
    controller.abort()
    expect(await left).toBe('left')
    // A read that ran on would share its answer with an equal one, and take as long.
    const { isError } = await call(client, 'call', { capability: 'viewer.view' })
    expect(isError).toBe(false)
  })
})

describe('with an output schema, which the client checks results against', () => {
  test.each([
    ['search', 'search', { query: 'view repository' }, false],
    ['search', 'describe', { ids: ['repo.view'] }, false],
    ['search', 'call', { capability: 'repo.view', input: REPO }, false],
    ['search', 'call', { capability: 'repo.view', input: { owner: 1 } }, true],
    ['search', 'batch', { calls: [{ capability: 'repo.view', input: REPO }] }, false],
    ['search', 'get_hints', { hintIds: ['hint_auth_001'] }, false],
    ['all', 'repo_view', REPO, false],
    ['all', 'repo_view', { ...REPO, name: 'no-such' }, true],
  ])('of the tools %s, %s gives a value', async (tools, name, input, failed) => {
    const client = await connect(await openTarget('HTTP', `${tools}&outputSchema=true`))
    await client.listTools()
    const { structuredContent, isError } = await client.callTool({ name, arguments: input })
    expect([structuredContent, isError]).toEqual([expect.any(Object), failed])
  })
})
