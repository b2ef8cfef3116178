/**
 * A child process: the load generator for all variants. Its argument is the capability to call. Runs the slices
 * that its parent requests.
 */
import { Client } from './client.ts'
import { median } from './spread.ts'

export interface Slice {
  readonly port: number
  readonly connections: number
  readonly ms: number
}

export type SliceResult =
  | {
      readonly ok: true
      readonly requests: number
      readonly requestsPerSecond: number
      readonly p50: number
    }
  | { readonly ok: false; readonly message: string }

/** Enough that no input repeats while it is in flight: Signalbox would merge the two requests. */
const DIFFERENT_INPUTS = 10_000

const [capability = 'repo.view'] = process.argv.slice(2)
const inputs = Array.from({ length: DIFFERENT_INPUTS }, (_, index) => requestFor(index))
const clients = new Map<number, Client[]>()
let sent = 0

process.on('message', (slice: Slice) => {
  void runSlice(slice)
    .catch((error: Error): SliceResult => ({ ok: false, message: error.message }))
    .then(result => process.send?.(result))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function runSlice({ port, connections, ms }: Slice): Promise<SliceResult> {
  const pool = openClients(port, connections)
  const latencies: number[] = []
  const started = performance.now()
  const until = started + ms
  await Promise.all(pool.map(client => sendUntil(client, until, latencies)))
  // Requests in flight at the end of the slice count too, with the time until they ended.
  const seconds = (performance.now() - started) / 1000
  const requests = latencies.length
  return { ok: true, requests, requestsPerSecond: requests / seconds, p50: median(latencies) }
}

async function sendUntil(client: Client, until: number, latencies: number[]): Promise<void> {
  for (let now = performance.now(); now < until; ) {
    await client.send(inputs[sent++ % DIFFERENT_INPUTS] as Buffer)
    const answered = performance.now()
    latencies.push(answered - now)
    now = answered
  }
}

/** Reuses connections during the whole bench, and replaces those that the server has closed. */
function openClients(port: number, count: number): Client[] {
  const open = (clients.get(port) ?? []).filter(client => !client.closed)
  while (open.length < count) open.push(new Client(port))
  clients.set(port, open)
  return open.slice(0, count)
}

function requestFor(index: number): Buffer {
  const body = JSON.stringify({ owner: `owner-${index % 100}`, name: `repository-${index}` })
  const head = [
    `POST /v1/capabilities/${capability}?route=rest HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
