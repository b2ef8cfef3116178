import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A proxy for a sandbox's REST API that holds requests of one method back. */
export interface Gate {
  readonly url: string
  /** Requests held so far, including those that have passed since. */
  held(): number
  open(): void
}

export async function startGate(sandboxUrl: string, method: string): Promise<Gate> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  let held = 0
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    if (request.method === method) {
      held++
      await opened
    }
    const answer = await fetch(`${sandboxUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: pick(request.headers, ['authorization', 'if-none-match']),
      body: body || null,
    })
    const headers = pick(Object.fromEntries(answer.headers), ['content-type', 'etag'])
    response.writeHead(answer.status, headers)
    response.end(await answer.text())
  }
  const server = createServer((request, response) => void pass(request, response))
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, held: () => held, open }
}

function pick(headers: Readonly<Record<string, string | string[] | undefined>>, names: string[]) {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
