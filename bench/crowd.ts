/**
 * Sends many more calls at once than a gateway can have in a service that takes 3 seconds, and asks for the gateway's health all the
 * while. Prints how long health, refusals and answers took, for one process and for several workers, and whether a circuit opened.
 */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Crowd, CrowdResult } from './support/crowd-load.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { nextMessage, Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'
import { repositoryJson } from './support/repository.ts'
import { startGateway } from './support/servers.ts'
import { verdictOf } from './support/table.ts'

const SERVICE_MS = 3_000
/** Answered at once, so that the gateway has compiled its code when the crowd comes. */
const WARM_UP = { connections: 50, ms: 3_000 }
const HEALTH_TARGET_MS = 100
const ASK_EVERY_MS = 50

const { values } = readOptions({
  command: 'npm run bench:crowd',
  about: 'Calls a slow service over many connections, and measures answers, refusals and health.',
  options: {
    connections: { value: 500, help: 'connections at once' },
    seconds: { value: 30, help: 'length of the crowd' },
    workers: { value: 2, help: 'workers of the second gateway' },
    timeout: { value: 30_000, help: 'milliseconds that a call has' },
  },
})
const deadlineMs = values.timeout
const crowd = { connections: values.connections, ms: values.seconds * 1000 }

let serviceMs = 0
const service = createServer((_, response) => {
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(repositoryJson())
  }, serviceMs)
}).listen(0, '127.0.0.1')
await new Promise(resolve => service.once('listening', resolve))

const directory = await scratchDirectory('crowd')
const processes = new Processes(false)
try {
  const [before = 0] = loadavg()
  console.log(
    `${crowd.connections} connections, a service that takes ${SERVICE_MS} ms, ${availableParallelism()} cores, Node ${process.version}; load average before: ${before.toFixed(1)}`,
  )
  for (const workers of [1, values.workers]) await measure(workers)
} finally {
  await processes[Symbol.asyncDispose]()
  service.closeAllConnections()
  service.close()
  await rm(directory, { recursive: true, force: true })
}

async function measure(workers: number): Promise<void> {
  const upstream = (service.address() as AddressInfo).port
  const { port } = await startGateway(processes, directory, upstream, { workers })
  const module = new URL('./support/crowd-load.ts', import.meta.url)
  const { child } = await processes.fork(module, [], 'load')
  const send = async ({ connections, ms }: typeof WARM_UP) => {
    child.send({ connections, ms, port, deadlineMs } satisfies Crowd)
    return (await nextMessage(child, ms + 2 * deadlineMs)) as CrowdResult
  }
  serviceMs = 0
  await send(WARM_UP)
  serviceMs = SERVICE_MS
  const stopped = new AbortController()
  const asking = askHealth(port, stopped.signal)
  const result = await send(crowd)
  stopped.abort()
  print(workers, result, await asking, await openedCircuits(port))
  child.kill()
}

/** The time of each answer of `/livez` and `/readyz`, on connections of their own. */
async function askHealth(port: number, signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; !signal.aborted; n++) {
    const began = performance.now()
    const { status } = await fetch(`http://127.0.0.1:${port}${n % 2 ? '/livez' : '/readyz'}`)
    times.push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
    await delay(ASK_EVERY_MS)
  }
  return times
}

async function openedCircuits(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const states = [...text.matchAll(/^signalbox_breaker_state\{[^}]*\} (\d+)/gm)]
  return states.filter(([, state]) => state !== '0').length
}

function print(
  workers: number,
  { answers, failed }: CrowdResult,
  health: readonly number[],
  circuits: number,
): void {
  const served = answers.filter(({ status }) => status === 200).map(({ ms }) => ms)
  const refused = answers.filter(({ status }) => status === 503).map(({ ms }) => ms)
  const other = answers.length - served.length - refused.length + failed
  console.log(`\n${workers === 1 ? 'one process' : `${workers} workers`}`)
  console.log(`  health    ${describe(health)}`)
  console.log(`  served    ${describe(served)}`)
  console.log(`  refused   ${describe(refused)}`)
  const checks: readonly (readonly [boolean, string])[] = [
    [most(health, 0.99) < HEALTH_TARGET_MS, `health at p99 below ${HEALTH_TARGET_MS} ms`],
    [
      most(refused, 0.99) < SERVICE_MS / 2,
      'p99 of the refused is less than half of the time of the service',
    ],
    [
      served.length > 0 && most(served, 0.99) <= deadlineMs,
      `p99 of the served is within the deadline of ${deadlineMs} ms`,
    ],
    [circuits === 0, `${circuits} circuits are not closed`],
    [other === 0, `${other} answers are neither 200 nor 503`],
  ]
  for (const [holds, text] of checks) console.log(`  ${verdictOf(holds)} ${text}`)
}

function most(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0
}

function describe(times: readonly number[]): string {
  const [half, all] = [most(times, 0.5), most(times, 0.99)].map(ms => `${ms.toFixed(0)} ms`)
  return `${times.length} times, p50 ${half}, p99 ${all}, at most ${most(times, 1).toFixed(0)} ms`
}
