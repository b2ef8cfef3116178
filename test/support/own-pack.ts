import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request as a service received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Starts an HTTP service that keeps its requests; it ends with the test. */
export async function startService(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const own = { method, url, headers, body: await buffer(request) }
    received.push(own)
    answer(own, response)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Writes an upstream and its cards into a directory that goes with the test. */
export async function writePack(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-pack-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}
