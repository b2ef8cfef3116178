import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGraphqlAdapter } from '../../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import type { Effect } from '../../../src/model/route.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'

/** Starts a service that says on which of its sockets each request came. */
async function startSockets() {
  const ports: number[] = []
  const open = new Set<number>()
  const server = createServer((request, response) => {
    const port = request.socket.remotePort ?? 0
    if (!ports.includes(port)) ports.push(port)
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(`{"socket":${ports.indexOf(port)},"data":{"socket":${ports.indexOf(port)}}}`)
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', socket => {
    const port = socket.remotePort ?? 0
    open.add(port)
    socket.on('close', () => open.delete(port))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, open: () => open.size }
}

const ROUTES = {
  rest: {
    adapter: createRestAdapter(),
    upstream: (url: string) => ({ base_url: url }),
    card: { method: 'POST', path: '/' },
  },
  graphql: {
    adapter: createGraphqlAdapter(),
    upstream: (url: string) => ({ url }),
    card: { document: 'query Socket { socket }' },
  },
} as const

async function open(route: keyof typeof ROUTES, settings: object = {}) {
  const service = await startSockets()
  const { adapter, upstream, card } = ROUTES[route]
  const connection = connect(adapter, { ...upstream(service.url), ...settings })
  onTestFinished(() => connection.close())
  const call = connection.compile(card, testCompiler())
  /** The number of the socket that the call took. */
  const socket = async (effect: Effect) => {
    const reply = await call.call({ input: {} }, callContext(effect))
    // undici notes in the next turn that the socket is free.
    await new Promise(setImmediate)
    return reply.ok && (reply.body as { socket: number }).socket
  }
  return { socket, service }
}

test.each(['rest', 'graphql'] as const)(
  'a change by %s takes a fresh socket, or one that was just used',
  async route => {
    const { socket, service } = await open(route)
    expect(await socket('read')).toBe(0)
    expect(await socket('write')).toBe(1)
    expect(await socket('write')).toBe(1)
    expect(await socket('read')).toBe(0)
    // The socket of the changes closes within a second, that of the reads stays.
    await expect.poll(service.open, { timeout: 5_000 }).toBe(1)
    expect(await socket('write')).toBe(2)
    expect(await socket('read')).toBe(0)
    expect(await socket('idempotent')).toBe(0)
  },
)

test('an idle socket is kept as long as the upstream says', async () => {
  const { socket, service } = await open('rest', { keep_alive_ms: 50 })
  expect(await socket('read')).toBe(0)
  await expect.poll(service.open).toBe(0)
  expect(await socket('read')).toBe(1)
})
