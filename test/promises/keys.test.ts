import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { exampleOfCard } from '../../src/cards/card-example.ts'
import { SIGNALBOX, signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { allowedOf, headersOf, KEYS, NO_INPUT, settings } from './support/six-keys.ts'

// Commands are whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings, env: { PATH: '' } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

interface Reply {
  /** The result of a tool of MCP. */
  readonly result: {
    readonly tools: readonly { readonly name: string }[]
    readonly content: readonly { readonly text: string }[]
  }
  readonly data: {
    readonly items: readonly { readonly id: string }[]
    readonly results: readonly { readonly envelope: Reply }[]
  }
  readonly error: { readonly code: string } | null
  readonly meta: {
    readonly reason: string | null
    readonly next?: readonly { capability: string }[]
  }
}

describe.each(KEYS)('the key "$key.name"', ({ key, may }) => {
  const headers = headersOf(key.name)
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${gateway.url}${path}`, { method, headers, ...init })
    const text = (await response.text()).replace(/^(event: \w+\n)?data: /, '')
    return JSON.parse(text) as Reply & { paths: Record<string, unknown> }
  }
  const cards = () => gateway.engine.catalog.all()
  const allowed = () => allowedOf(cards(), may)
  const refusedOf = (replies: readonly (readonly [string, Reply])[]) =>
    replies.filter(([, { error }]) => error?.code === 'FORBIDDEN').map(([id]) => id)
  const refused = () =>
    cards()
      .map(({ id }) => id)
      .filter(id => !allowed().includes(id))

  test('lists what it may call', async () => {
    const { data } = await ask('GET', '/v1/capabilities')
    expect(data.items.map(({ id }) => id)).toEqual(allowed())
  })

  test('finds it in /openapi.json, and nothing else', async () => {
    const { paths } = await ask('GET', '/openapi.json')
    const prefix = '/v1/capabilities/'
    const ids = Object.keys(paths).filter(path => path.startsWith(prefix) && !path.includes('{'))
    expect(ids.map(path => path.slice(prefix.length))).toEqual(allowed())
  })

  test('finds it among the tools of MCP', async () => {
    const { result } = await ask('POST', '/mcp?tools=all', rpc('tools/list', {}))
    const own = ['batch', 'get_hints']
    const names = result.tools.map(({ name }) => name)
    expect(names).toEqual([...allowed().map(id => id.replaceAll('.', '_')), ...own])
    const args = { query: '', limit: 500 }
    const found = await ask('POST', '/mcp', rpc('tools/call', { name: 'search', arguments: args }))
    const { capabilities } = JSON.parse(found.result.content[0]?.text ?? '')
    expect(capabilities.map(({ id }: { id: string }) => id)).toEqual(allowed())
  })

  test('calls it in batches, and is refused the rest', async () => {
    const ids = cards().map(({ id }) => id)
    const replies: (readonly [string, Reply])[] = []
    for (let at = 0; at < ids.length; at += 50) {
      const part = ids.slice(at, at + 50)
      const calls = part.map(capability => ({ capability, input: NO_INPUT }))
      const { data } = await ask('POST', '/v1/batch', { calls })
      replies.push(...data.results.map(({ envelope }, n) => [part[n] ?? '', envelope] as const))
    }
    expect(refusedOf(replies)).toEqual(refused())
    const reasons = new Set(replies.map(([, { meta }]) => meta.reason))
    expect([...reasons].filter(reason => !REASONS.includes(String(reason)))).toEqual([])
  })

  test('is refused the rest as calls and descriptions of MCP', async () => {
    const replies: (readonly [string, Reply])[] = []
    for (const { id } of cards()) {
      const args = { capability: id, input: NO_INPUT }
      const called = rpc('tools/call', { name: 'call', arguments: args })
      const { result } = await ask('POST', '/mcp?profile=default', called)
      replies.push([id, JSON.parse(result.content[0]?.text ?? '') as Reply])
    }
    expect(refusedOf(replies)).toEqual(refused())
    const ids = cards().map(({ id }) => id)
    const shown: string[] = []
    for (let at = 0; at < ids.length; at += 20) {
      const described = { name: 'describe', arguments: { ids: ids.slice(at, at + 20) } }
      const { result } = await ask('POST', '/mcp', rpc('tools/call', described))
      const { capabilities } = JSON.parse(result.content[0]?.text ?? '')
      shown.push(...capabilities.map(({ id }: { id: string }) => id))
    }
    expect(shown).toEqual(allowed())
  })

  test.each([
    ['POST', '', NO_INPUT],
    ['POST', '/explain', NO_INPUT],
    ['GET', '', undefined],
  ])('is refused the rest by %s …%s', async (method, end, body) => {
    const replies: (readonly [string, Reply])[] = []
    for (const { id } of cards()) {
      replies.push([id, await ask(method, `/v1/capabilities/${id}${end}`, body)])
    }
    expect(refusedOf(replies)).toEqual(refused())
  })

  test('is advised to call nothing that it may not', async () => {
    for (const capability of ['repo.view', 'issue.view', 'issue.list', 'pr.view']) {
      const input = { owner: 'octo-org', name: 'hello-world', issueNumber: 1, prNumber: 2 }
      const members = Object.keys(gateway.engine.catalog.get(capability)?.input.properties ?? {})
      const own = Object.entries(input).filter(([name]) => members.includes(name))
      const { meta } = await ask('POST', `/v1/capabilities/${capability}`, Object.fromEntries(own))
      const advised = meta.next?.map(({ capability: next }) => next) ?? []
      expect(advised.filter(id => !allowed().includes(id))).toEqual([])
    }
  })
})

test('no call that needs an approval sends anything, whatever its capability and door', async () => {
  const { catalog } = gateway.engine
  const { length } = gateway.sandbox.log.rows()
  const headers = headersOf('asking')
  const post = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const text = await (await fetch(`${gateway.url}${path}`, init)).text()
    return JSON.parse(text.replace(/^(event: \w+\n)?data: /, '')) as Reply
  }
  const tool = (id: string, args: object) =>
    rpc('tools/call', { name: 'call', arguments: { capability: id, input: args } })
  const answered: string[] = []
  const may = KEYS.find(({ key }) => key.name === 'asking')?.may ?? (() => false)
  for (const id of allowedOf(catalog.all(), may)) {
    const card = catalog.get(id)
    const input = card && exampleOfCard(card).input
    if (!card || input === undefined) continue
    const one = await post(`/v1/capabilities/${id}`, input)
    const { data } = await post('/v1/batch', { calls: [{ capability: id, input }] })
    const { result } = await post('/mcp?profile=default', tool(id, input as object))
    const overMcp = JSON.parse(result.content[0]?.text ?? '') as Reply
    for (const reply of [one, data.results[0]?.envelope, overMcp]) {
      answered.push(`${id} ${reply?.error?.code}`)
    }
  }
  expect(answered.length).toBeGreaterThan(200)
  expect(answered.filter(line => !line.endsWith(' APPROVAL_REQUIRED'))).toEqual([])
  expect(gateway.sandbox.log.rows().length).toBe(length)
})

describe.each(KEYS)('over stdio, the key "$key.name"', ({ key, may }) => {
  const connect = async (tools: string) => {
    const directory = await temporaryDirectory()
    const file = join(directory.path, 'signalbox.yaml')
    await writeFile(file, JSON.stringify(settings))
    const client = new Client({ name: 'tester', version: '1.0.0' })
    const args = [SIGNALBOX, 'mcp', '--key', key.name, '--profile', 'default', '--tools', tools]
    const env = { ...githubEnv(gateway.sandbox.url), SIGNALBOX_CONFIG: file, PATH: '' }
    const command = process.execPath
    await client.connect(new StdioClientTransport({ command, args, env, cwd: directory.path }))
    onTestFinished(async () => {
      await client.close()
      await directory[Symbol.asyncDispose]()
    })
    return client
  }

  test('has the tools that it may call, and is refused the rest', async () => {
    const cards = gateway.engine.catalog.all()
    const allowed = allowedOf(cards, may)
    const all = await connect('all')
    const names = (await all.listTools()).tools.map(({ name }) => name)
    const own = ['batch', 'get_hints']
    expect(names).toEqual([...allowed.map(id => id.replaceAll('.', '_')), ...own])

    const few = await connect('search')
    const text = async (name: string, args: Record<string, unknown>) => {
      const { content } = await few.callTool({ name, arguments: args })
      return JSON.parse(content[0]?.type === 'text' ? content[0].text : '')
    }
    const found = await text('search', { query: '', limit: 500 })
    expect(found.capabilities.map(({ id }: { id: string }) => id)).toEqual(allowed)
    const refused: string[] = []
    for (const { id } of cards) {
      const { error } = await text('call', { capability: id, input: NO_INPUT })
      if (error.code === 'FORBIDDEN') refused.push(id)
      else expect(error.code).toBe('VALIDATION')
    }
    expect(refused).toEqual(cards.map(({ id }) => id).filter(id => !allowed.includes(id)))
  })
})

const REASONS = ['KEY_FORBIDDEN', 'INPUT_VALIDATION']

test('strangers see no capability in /openapi.json', async () => {
  const response = await fetch(`${gateway.url}/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toContain('/v1/batch')
  expect(Object.keys(paths).filter(path => /capabilities\/\w/.test(path))).toEqual([])
})

test('a command acts as the key that it names, without its secret', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'signalbox.yaml')
  await writeFile(file, JSON.stringify(settings))
  const env = { SIGNALBOX_CONFIG: file }
  const codeOf = async (key: string, id: string) => {
    const { stdout } = await signalbox(['call', id, 'no_such_member=1', '--key', key], env)
    return (JSON.parse(stdout) as Reply).error?.code
  }
  expect(await codeOf('reader', 'issue.create')).toBe('FORBIDDEN')
  expect(await codeOf('reader', 'issue.view')).toBe('VALIDATION')
  expect(await codeOf('nothing', 'issue.view')).toBe('FORBIDDEN')
  const { code, stderr } = await signalbox(['call', 'issue.view', '--key', 'nobody'], env)
  expect(code).toBe(1)
  expect(stderr).toMatch(/"nobody" is not among the gateway keys: nothing, reader, glob/)
})
