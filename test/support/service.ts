import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request as a service received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Answer = (request: Received, response: ServerResponse) => void | Promise<void>

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** All requests so far. */
  readonly received: readonly Received[]
  /** The same as lines such as `GET /parts/7`. */
  lines(): string[]
}

/** Starts an HTTP service on a free port. */
export async function openService(answer: Answer): Promise<Service> {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const own = { method, url, headers, body: await buffer(request) }
    received.push(own)
    await answer(own, response)
  }
  const server = createServer((request, response) => {
    take(request, response).catch((error: Error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    lines: () => received.map(({ method, url }) => `${method} ${url}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same, closed when the test ends. */
export async function startService(answer: Answer): Promise<Service> {
  const service = await openService(answer)
  onTestFinished(async () => await service[Symbol.asyncDispose]())
  return service
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
