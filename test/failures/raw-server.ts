import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface RawServer extends AsyncDisposable {
  readonly origin: string
}

/** Handles the nth request (from 0) by writing raw bytes to its socket. */
export type Responder = (socket: Socket, index: number) => void

/** Starts a TCP server that sends exactly the bytes that the responder writes. */
export async function startRawServer(respond: Responder): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!isComplete(received)) return
      received = ''
      respond(socket, requests++)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Whether the request is complete. Anything but HTTP, such as a TLS hello, gets its answer immediately. */
function isComplete(received: string): boolean {
  if (!/^[A-Z]/.test(received)) return true
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)/im.exec(received)?.[1] ?? '0'
  return received.length - end - 4 >= Number(length)
}
