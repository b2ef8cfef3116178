import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export const BOLT = {
  sku: 'm4-bolt',
  title: 'Bolt, M4',
  stock: 12,
  number: 1,
  kind: 'screw',
  note: null,
}

interface Received {
  readonly request: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A small version of the service that the fixture inventory.yaml describes. */
export async function startInventory() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request
      const body = await bodyOf(request)
      received.push({ request: `${method} ${url}`, headers, body })
      answer(method, url, body, response)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    last: () => received.at(-1),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const isWrite = request.method === 'POST' || request.method === 'PATCH'
  return isWrite ? await json(request) : null
}

function answer(method: string, url: string, body: unknown, response: ServerResponse): void {
  const send = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  switch (true) {
    case method === 'DELETE':
      return void response.writeHead(204).end()
    case url.endsWith('/export'):
      response.writeHead(200, { 'content-type': 'text/csv' }).end('sku,stock\nm4-bolt,12\n')
      return
    case url.endsWith('/reserve'):
      return void send(200, 9)
    case method === 'GET':
      return void send(200, url.startsWith('/api/parts?') ? [BOLT] : BOLT)
    default:
      send(method === 'POST' ? 201 : 200, { ...BOLT, ...(body as object) })
  }
}
