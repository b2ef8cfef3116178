import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that the server received. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface TestServer extends AsyncDisposable {
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  sockets(): number
}

export type Answerer = (request: SeenRequest, response: ServerResponse) => void

/** Starts a server on a free port that answers with `answer`. */
export async function startServer(answer: Answerer): Promise<TestServer> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming
    void text(incoming).then(body => {
      const request = { method, url, headers, body }
      seen.push(request)
      answer(request, response)
    })
  })
  let open = 0
  server.on('connection', socket => {
    open++
    socket.on('close', () => open--)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    sockets: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
