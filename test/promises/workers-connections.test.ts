import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { until } from '../support/until.ts'
import { startWorkers, type Workers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 120_000 })
const CONNECTIONS = 16
const BURSTS = 9
/** A worker counts a client that comes back sooner as the one that it had. */
const PAUSE_MS = 250

test('a client that opens its connections together gets some of each worker', async () => {
  await using gateway = await startWorkers(2, {})
  const shares: number[] = []
  for (let burst = 0; burst < BURSTS; burst++) {
    shares.push(await smallerShare(gateway, `burst-${burst}`))
    await delay(PAUSE_MS)
  }
  // Without turns, one worker took all or nearly all in most bursts. Chance may still do that in a few.
  expect(shares.toSorted((one, other) => one - other)[Math.floor(BURSTS / 2)]).toBeGreaterThan(3)
})

/** How many of the connections the worker has that has fewer. */
async function smallerShare(gateway: Workers, name: string): Promise<number> {
  const { hostname, port } = new URL(gateway.url)
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname))
  await delay(PAUSE_MS)
  await Promise.all(sockets.map((socket, n) => send(socket, `${name}-${n}`)))
  for (const socket of sockets) socket.destroy()
  const lines = await until(
    () => linesOf(gateway, name),
    ({ length }) => length === CONNECTIONS,
  )
  const first = lines.filter(({ worker }) => worker === 1).length
  return Math.min(first, CONNECTIONS - first)
}

function linesOf(gateway: Workers, name: string): readonly { readonly worker: number }[] {
  const lines = gateway.log().split('\n')
  return lines.filter(line => line.includes(`"${name}-`)).map(line => JSON.parse(line))
}

function send(socket: Socket, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      path: '/v1/capabilities/repo.view',
      headers: { 'x-request-id': id },
      createConnection: () => socket,
    }
    const sent = request(options, response => {
      response.resume()
      response.on('end', resolve)
    })
    sent.on('error', reject)
    sent.end()
  })
}
