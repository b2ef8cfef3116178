import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SIGNALBOX, signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openPlace, startBigService } from './support/big-answers.ts'

// Some doors are processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const ROUTES = ['rest', 'graphql', 'cli']

interface Facts {
  readonly ok: boolean
  readonly error: { readonly code: string; readonly source: string } | null
}

interface Place extends AsyncDisposable {
  /** Reads a thing of 60 kB. */
  read(route: string, at: number): Promise<Facts>
  /** The bytes that are still counted, where a test can see them. */
  readonly held: () => number
}

type Door = (maxHeld: number) => Promise<Place>

const DOORS: Readonly<Record<string, Door>> = {
  HTTP: overHttp(route => `/v1/capabilities/thing.read.${route}`, {
    ask: (_, at) => ({ at }),
    facts: body => body as Facts,
  }),
  batch: overHttp(() => '/v1/batch', {
    ask: (route, at) => ({ calls: [{ capability: `thing.read.${route}`, input: { at } }] }),
    facts: body => (body as BatchFacts).data.results[0]!.envelope,
  }),
  'MCP over HTTP': overHttp(() => '/mcp?tools=all&profile=default', {
    ask: toolCall,
    facts: toolFacts,
  }),
  'the tool call of MCP': overHttp(() => '/mcp?profile=default', {
    ask: namedCall,
    facts: toolFacts,
  }),
  'the tool batch of MCP': overHttp(() => '/mcp?profile=default', {
    ask: batchCall,
    facts: body => (toolFacts(body) as unknown as BatchFacts).data.results[0]!.envelope,
  }),
  'MCP over stdio': overStdio,
  'the command line': overCommandLine,
}

function overHttp(
  path: (route: string) => string,
  { ask, facts }: { ask: (route: string, at: number) => object; facts: (body: unknown) => Facts },
): Door {
  return async maxHeld => {
    const gateway = await openPlace(maxHeld)
    return {
      read: async (route, at) => {
        const body = await (await post(gateway, path(route), ask(route, at))).text()
        return facts(JSON.parse(body.replace(/^(event: \w+\n)?data: /, '')))
      },
      held: () => gateway.engine.answers.held,
      [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
    }
  }
}

function post({ url }: TestGateway, path: string, body: object | string): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function toolCall(route: string, at: number): object {
  const params = { name: `thing_read_${route}`, arguments: { at } }
  return { jsonrpc: '2.0', id: at, method: 'tools/call', params }
}

interface BatchFacts {
  readonly data: { readonly results: readonly { readonly envelope: Facts }[] }
}

function namedCall(route: string, at: number): object {
  const params = { name: 'call', arguments: { capability: `thing.read.${route}`, input: { at } } }
  return { jsonrpc: '2.0', id: at, method: 'tools/call', params }
}

function batchCall(route: string, at: number): object {
  const calls = [{ capability: `thing.read.${route}`, input: { at } }]
  const params = { name: 'batch', arguments: { calls } }
  return { jsonrpc: '2.0', id: at, method: 'tools/call', params }
}

function toolFacts(body: unknown): Facts {
  const { result } = body as { result: { content: { text: string }[] } }
  return JSON.parse(result.content[0]!.text) as Facts
}

async function environment(maxHeld: number) {
  return {
    PATH: process.env.PATH ?? '',
    SIGNALBOX_CAPABILITIES: await startBigService(),
    SIGNALBOX_MAX_HELD_BYTES: String(maxHeld),
    SIGNALBOX_JOURNAL: ':memory:',
  }
}

async function overStdio(maxHeld: number): Promise<Place> {
  const env = await environment(maxHeld)
  const child = spawn(
    process.execPath,
    [SIGNALBOX, 'mcp', '--tools', 'all', '--profile', 'default'],
    {
      env,
      cwd: tmpdir(),
      stdio: 'pipe',
    },
  )
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    return JSON.parse((await answers.next()).value as string) as unknown
  }
  const clientInfo = { name: 'tester', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  await ask({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params })
  return {
    read: async (route, at) => toolFacts(await ask(toolCall(route, at))),
    held: () => 0,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await once(child, 'close')
    },
  }
}

async function overCommandLine(maxHeld: number): Promise<Place> {
  const env = await environment(maxHeld)
  return {
    read: async (route, at) =>
      JSON.parse((await signalbox(['call', `thing.read.${route}`, `at=${at}`], env)).stdout),
    held: () => 0,
    async [Symbol.asyncDispose]() {},
  }
}

describe.each(Object.keys(DOORS))('an answer at the door %s', name => {
  const open = DOORS[name] as Door

  test('counts until its caller has it, and no longer', async () => {
    await using place = await open(100_000)
    let at = 1
    for (const route of [...ROUTES, ...ROUTES]) {
      expect(await place.read(route, at++)).toMatchObject({ ok: true })
      await expect.poll(place.held).toBe(0)
    }
  })

  test('that exceeds the budget fails, and the gateway says that it is the reason', async () => {
    await using place = await open(50_000)
    let at = 1
    for (const route of ROUTES) {
      const { error } = await place.read(route, at++)
      expect(error).toMatchObject({ code: 'TOO_LARGE', source: 'gateway' })
    }
  })
})

/** More than the buffers of both sockets take. */
const HUGE = JSON.stringify('x'.repeat(14_000_000))

const PATHS: Readonly<Record<string, { path: string; body: object }>> = {
  HTTP: { path: '/v1/capabilities/thing.read.rest', body: { at: 1 } },
  batch: { path: '/v1/batch', body: { calls: [{ capability: 'thing.read.rest', input: {} }] } },
  MCP: { path: '/mcp?tools=all', body: toolCall('rest', 1) },
  'the tool call of MCP': { path: '/mcp', body: namedCall('rest', 1) },
  'the tool batch of MCP': { path: '/mcp', body: batchCall('rest', 1) },
}

test.each(Object.entries(PATHS))(
  'an answer by %s counts while its caller is slow',
  async (_, to) => {
    await using gateway = await openPlace(100_000_000, HUGE)
    const socket = dial(gateway)
    const body = JSON.stringify(to.body)
    socket.write(`${head(to.path, `content-length: ${body.length}`)}${body}`)
    socket.pause()
    await expect.poll(async () => (await recorded(gateway)).length).toBe(1)
    // The record is written before the answer is sent.
    await gateway.get('/livez')
    expect(gateway.engine.answers.held).toBeGreaterThan(14_000_000)
    socket.destroy()
    await expect.poll(() => gateway.engine.answers.held).toBe(0)
  },
)

async function recorded(gateway: TestGateway): Promise<readonly unknown[]> {
  return (await gateway.get('/v1/requests')).body.data.items
}

function dial({ url }: TestGateway): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  return socket
}

function head(path: string, length: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n${length}\r\n\r\n`
}

const BODY_PATHS = [
  '/v1/capabilities/thing.read.rest',
  '/v1/capabilities/thing.read.rest/explain',
  '/v1/batch',
  '/mcp',
  '/there/is/none',
]

/** Half of it is for bodies. */
const MAX_HELD = 200_000
const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`

describe.each(BODY_PATHS)('a body for %s', path => {
  test('counts from its first byte, and is refused with 503 while others take the room', async () => {
    await using gateway = await startTestGateway({ settings: { max_held_bytes: MAX_HELD } })
    const other = dial(gateway)
    other.write(`${head('/v1/batch', 'content-length: 90000')}${' '.repeat(50_000)}`)
    const isRefused = async () => (await post(gateway, path, padded(60_000))).status
    await expect.poll(isRefused).toBe(503)

    const refused = await post(gateway, path, padded(60_000))
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      error: { code: 'SERVER', source: 'gateway', retryable: true, write_outcome: null },
    })
    // Its length is not known before its last byte.
    const chunked = dial(gateway)
    chunked.write(
      `${head(path, 'transfer-encoding: chunked')}ea60\r\n${padded(60_000)}\r\n0\r\n\r\n`,
    )
    expect(await text(chunked)).toMatch(/^HTTP\/1\.1 503 /)

    other.destroy()
    const isServed = async () => (await post(gateway, path, padded(60_000))).status
    await expect.poll(isServed).not.toBe(503)
    for (let n = 0; n < 5; n++) expect(await isServed()).not.toBe(503)
  })

  test('that all the room cannot take is refused with 413', async () => {
    await using gateway = await startTestGateway({ settings: { max_held_bytes: MAX_HELD } })
    const response = await post(gateway, path, padded(150_000))
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: 'TOO_LARGE', source: 'caller' } })
    const chunked = dial(gateway)
    chunked.write(
      `${head(path, 'transfer-encoding: chunked')}249f0\r\n${padded(150_000)}\r\n0\r\n\r\n`,
    )
    expect(await text(chunked)).toMatch(/^HTTP\/1\.1 413 /)
  })
})

test('a body of another type than JSON is not read at all', async () => {
  await using gateway = await startTestGateway({ settings: { max_held_bytes: MAX_HELD } })
  const socket = dial(gateway)
  const start = head('/mcp', 'content-length: 9000000').replace('POST', 'DELETE')
  socket.write(start.replace('application/json\r\ncontent-length', 'text/plain\r\ncontent-length'))
  const answer = once(socket, 'data')
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 415 /)
})
