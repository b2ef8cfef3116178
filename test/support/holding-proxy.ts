import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a server, and can hold everything up: like a server that hangs, it takes connections and says nothing. */
export interface HoldingProxy extends AsyncDisposable {
  /** The address of a server, by way of the proxy. */
  through(url: string): string
  hold(): void
  /** Passes on everything that was held up. */
  release(): void
}

export async function openHoldingProxy(url: string): Promise<HoldingProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', data => to.write(data))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isHeld) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    through: given => given.replace(new URL(given).host, `127.0.0.1:${own}`),
    hold() {
      isHeld = true
      for (const socket of sockets) socket.pause()
    },
    release() {
      isHeld = false
      for (const socket of sockets) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
