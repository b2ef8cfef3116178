/** A child process: the load generator for all variants. Runs the slices that its parent requests. */
import { type Call, toRequest } from './calls.ts'
import { Client } from './client.ts'
import { median, quantile } from './spread.ts'

export interface Slice {
  readonly call: Call
  /** Share the connections. */
  readonly ports: readonly number[]
  readonly connections: number
  readonly ms: number
}

export type SliceResult =
  | {
      readonly ok: true
      readonly requests: number
      readonly requestsPerSecond: number
      readonly p50: number
      readonly p99: number
    }
  | { readonly ok: false; readonly message: string }

/** Enough that no input repeats while it is in flight: Signalbox would merge the two requests. */
const DIFFERENT_INPUTS = 10_000

/** The requests of each call, made when it is first needed. */
const made = new Map<string, readonly Buffer[]>()
const clients = new Map<number, Client[]>()
let sent = 0

process.on('message', (slice: Slice) => {
  void runSlice(slice)
    .catch((error: Error): SliceResult => ({ ok: false, message: error.message }))
    .then(result => process.send?.(result))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function runSlice({ call, ports, connections, ms }: Slice): Promise<SliceResult> {
  const pool = ports.flatMap(port => openClients(port, Math.ceil(connections / ports.length)))
  const requests = requestsOf(call)
  const latencies: number[] = []
  const started = performance.now()
  const until = started + ms
  await Promise.all(pool.map(client => sendUntil(client, requests, until, latencies)))
  // Requests in flight at the end of the slice count too, with the time until they ended.
  const seconds = (performance.now() - started) / 1000
  return {
    ok: true,
    requests: latencies.length,
    requestsPerSecond: latencies.length / seconds,
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
  }
}

async function sendUntil(
  idle: Client,
  requests: readonly Buffer[],
  until: number,
  latencies: number[],
): Promise<void> {
  let client: Client | null = null
  for (let now = performance.now(); now < until; ) {
    const request = requests[sent++ % DIFFERENT_INPUTS] as Buffer
    if (client === null) client = await sendFirst(idle, request)
    else await client.send(request)
    const answered = performance.now()
    latencies.push(answered - now)
    now = answered
  }
}

/**
 * The server may close a connection that was idle since the last slice just when the next one begins.
 * @returns the connection that was answered
 */
async function sendFirst(idle: Client, request: Buffer): Promise<Client> {
  try {
    await idle.send(request)
    return idle
  } catch (error) {
    if (!idle.closed) throw error
    const fresh = new Client(idle.port)
    clients.get(idle.port)?.push(fresh)
    await fresh.send(request)
    return fresh
  }
}

/** Reuses connections during the whole bench, and replaces those that the server has closed. */
function openClients(port: number, count: number): Client[] {
  const open = (clients.get(port) ?? []).filter(client => !client.closed)
  while (open.length < count) open.push(new Client(port))
  clients.set(port, open)
  return open.slice(0, count)
}

function requestsOf(call: Call): readonly Buffer[] {
  const key = JSON.stringify(call)
  const known = made.get(key)
  if (known) return known
  const requests = Array.from({ length: DIFFERENT_INPUTS }, (_, index) => toRequest(call, index))
  made.set(key, requests)
  return requests
}
