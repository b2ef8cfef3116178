import type { ServerResponse } from 'node:http'
import { openService, type Received, sendJson } from '../../../support/service.ts'

export const BOLT = {
  sku: 'm4-bolt',
  title: 'Bolt, M4',
  stock: 12,
  number: 1,
  kind: 'screw',
  note: null,
}

/** A small version of the service that the fixture inventory.yaml describes. */
export async function startInventory() {
  const service = await openService((request, response) => {
    answer(request.method, request.url, bodyOf(request), response)
  })
  return {
    url: `${service.url}/api`,
    last: () => {
      const request = service.received.at(-1)
      if (!request) return undefined
      const { method, url, headers } = request
      return { request: `${method} ${url}`, headers, body: bodyOf(request) }
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

function bodyOf({ body }: Received): unknown {
  return body.length === 0 ? null : JSON.parse(body.toString())
}

function answer(method: string, url: string, body: unknown, response: ServerResponse): void {
  const send = (status: number, value: unknown) => sendJson(response, value, status)
  switch (true) {
    case method === 'DELETE':
      return void response.writeHead(204).end()
    case url.endsWith('/export'):
      response.writeHead(200, { 'content-type': 'text/csv' }).end('sku,stock\nm4-bolt,12\n')
      return
    case url.endsWith('/reserve'):
      return send(200, 9)
    case method === 'GET':
      return send(200, url.startsWith('/api/parts?') ? [BOLT] : BOLT)
    default:
      send(method === 'POST' ? 201 : 200, { ...BOLT, ...(body as object) })
  }
}
