import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy for a PostgreSQL server that can lose the answer to a COMMIT, as a network can. */
export interface CuttingProxy extends AsyncDisposable {
  /** Returns the address of a database through the proxy. */
  through(url: string): string
  /** Passes the next commits to the server, and closes their connections instead of answering. */
  cutCommits(count: number): void
  /** Commits whose answer was lost so far. */
  readonly cut: number
}

export async function openCuttingProxy(url: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let left = 0
  let cut = 0
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    let losing = false
    client.on('data', data => {
      if (left > 0 && data.includes('COMMIT')) {
        left--
        losing = true
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      if (!losing) return void client.write(data)
      cut++
      client.destroy()
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address() as AddressInfo
  return {
    through: given => given.replace(new URL(given).host, `127.0.0.1:${address.port}`),
    cutCommits(count) {
      left = count
    },
    get cut() {
      return cut
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
