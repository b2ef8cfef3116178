/** The parts that all benches of requests share: an upstream, a load generator, and the processes under test. */
import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { capabilityCall } from './calls.ts'
import { scratchDirectory } from './on-interrupt.ts'
import { Processes } from './processes.ts'
import type { RoundOptions, Variant } from './rounds.ts'
import {
  type GatewayOptions,
  startBareProxy,
  startGateway,
  startHttpProxy,
  startUpstream,
} from './servers.ts'

export interface Bench {
  readonly processes: Processes
  /** For files of the servers; removed at the end. */
  readonly directory: string
  readonly upstream: { readonly name: string; readonly port: number }
  readonly load: ChildProcess
}

/** Runs a bench, and ends all its processes afterwards, also when it is interrupted. */
export async function withBench<T>(
  { nginx, pin = true }: { readonly nginx: boolean; readonly pin?: boolean },
  run: (bench: Bench) => Promise<T>,
): Promise<T> {
  const directory = await scratchDirectory('bench')
  const processes = new Processes(pin)
  const cleanUp = async () => {
    await processes[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const upstream = await startUpstream(processes, directory, nginx)
    const { child: load } = await processes.fork(new URL('load.ts', import.meta.url), [], 'load')
    return await run({ processes, directory, upstream, load })
  } finally {
    await cleanUp()
  }
}

const SHIPPED = 'repo.view'
const FULL_NAME = 'octo-org/hello-world'

/** The request that proxies forward. The upstream gives its usual answer to it. */
export const PROXIED = { call: capabilityCall(SHIPPED), expected: FULL_NAME }

export function directVariant({ upstream }: Bench): Variant {
  return { name: 'direct', port: upstream.port, pid: null, ...PROXIED }
}

export async function proxyVariant(bench: Bench, name = '@fastify/http-proxy'): Promise<Variant> {
  return { name, ...PROXIED, ...(await startHttpProxy(bench.processes, bench.upstream.port)) }
}

export async function bareVariant({ processes, upstream }: Bench): Promise<Variant> {
  const server = await startBareProxy(processes, upstream.port)
  return { name: 'node:http and undici', ...PROXIED, ...server }
}

export async function gatewayVariant(
  { processes, directory, upstream }: Bench,
  { name = 'signalbox, rest', capability = SHIPPED, ...options }: NamedGateway = {},
): Promise<Variant> {
  const server = await startGateway(processes, directory, upstream.port, options)
  const call = capabilityCall(capability, options.restDown ? null : 'rest')
  return { name, call, expected: `"nameWithOwner":"${FULL_NAME}"`, ...server }
}

export interface NamedGateway extends GatewayOptions {
  readonly name?: string
  /** @default repo.view */
  readonly capability?: string
}

/** A gateway whose REST API answers 503 each time, so that GraphQL serves. */
export async function fallbackVariant(bench: Bench): Promise<Variant> {
  const name = 'signalbox, first route 503'
  return await gatewayVariant(bench, { name, restDown: true, altered: 'never-open' })
}

/** The machine and the conditions, for the head of a table. */
export function describeBench(
  { processes: { pinned }, upstream }: Bench,
  { rounds, sliceMs }: Omit<RoundOptions, 'connections'>,
): string {
  const where = pinned ? 'load and upstream on one half, servers on the other' : 'not pinned'
  const hint =
    upstream.name === 'nginx'
      ? ''
      : ' (nginx is not used: a faster upstream leaves more for the load)'
  return [
    `${availableParallelism()} cores, ${cpus()[0]?.model.trim()} (${where}), Node ${process.version}, ${process.platform} ${process.arch}`,
    `load average before: ${loadavg()[0]?.toFixed(1)}; upstream: ${upstream.name}${hint}`,
    `${rounds} rounds of ${sliceMs} ms; medians, ratios with quartiles`,
  ].join('\n')
}
