/**
 * A child process: the shortest proxy that one would write by hand, `node:http` in front and undici's `request`
 * behind. Its argument is the upstream. Sends its port to the parent.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'undici'

const upstream = new Pool(String(process.argv[2]), { connections: 128 })

async function forward(request: IncomingMessage) {
  const { 'content-type': type = 'application/json' } = request.headers
  const { statusCode, headers, body } = await upstream.request({
    path: String(request.url),
    method: 'POST',
    headers: { 'content-type': String(type), accept: 'application/json' },
    body: await buffer(request),
  })
  return {
    statusCode,
    type: String(headers['content-type']),
    bytes: Buffer.from(await body.bytes()),
  }
}

const server = createServer((request, response) => {
  forward(request).then(
    ({ statusCode, type, bytes }) =>
      response
        .writeHead(statusCode, { 'content-type': type, 'content-length': bytes.length })
        .end(bytes),
    () => response.writeHead(502, { 'content-length': 0 }).end(),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
