import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { startService } from './start-service.ts'

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
  const service = await startService(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await bodyOf(request)
    received.push({ request: `${method} ${url}`, headers, body })
    answer(method, url, body, response)
  })
  return {
    url: `${service.url}/api`,
    last: () => received.at(-1),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
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
