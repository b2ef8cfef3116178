/**
 * Measures the cost of the pipeline: the REST route with the journal on, compared with a bare
 * `@fastify/http-proxy` and with the upstream itself, in one run.
 *
 * Two features make repeated calls cheap, and the bench avoids both. The gateway merges identical concurrent
 * reads, so each request asks for a different repository (10,000 in turn). It caches answers with an ETag, so
 * the upstream sends none. Each measured request therefore causes one upstream request and one journal entry.
 * All variants get the same POST; the proxy forwards it with its body.
 *
 * A second, identical proxy shows the noise: its ratio would be 1 on a quiet machine. On a busy machine, rely
 * on the CPU time per request, summed over all threads: it varies least.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchOptions, readOptions } from './support/options.ts'
import { Processes } from './support/processes.ts'
import { measure, type Variant } from './support/rounds.ts'
import { startGateway, startHttpProxy, startUpstream } from './support/servers.ts'
import { formatTable, verdictOf } from './support/table.ts'

/** The gateway must reach this share of the bare proxy's requests per second. */
const TARGET = 0.8
const CONNECTIONS = [10, 100]

const options = readOptions()
if (options) process.exitCode = await bench(options)

/** @returns the exit code. */
async function bench(options: BenchOptions): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  const processes = new Processes()
  const cleanUp = async () => {
    await processes[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
  }
  try {
    return await run(options, processes, directory)
  } finally {
    await cleanUp()
  }
}

async function run(
  { assert, nginx, profile, ...rounds }: BenchOptions,
  processes: Processes,
  directory: string,
): Promise<number> {
  const upstream = await startUpstream(processes, directory, nginx)
  const direct = { name: 'direct', port: upstream.port, pid: null }
  const proxy = {
    name: '@fastify/http-proxy',
    ...(await startHttpProxy(processes, upstream.port)),
  }
  const secondProxy = { name: 'second proxy', ...(await startHttpProxy(processes, upstream.port)) }
  const gateway = {
    name: 'signalbox, rest',
    ...(await startGateway(processes, directory, upstream.port, profile)),
  }
  const { child: load } = await processes.fork(
    new URL('./support/load.ts', import.meta.url),
    [],
    'load',
  )
  const variants: Variant[] = [direct, proxy, secondProxy, gateway]
  console.log(describeRun(upstream.name, processes.pinned, rounds))
  const results = await measure(load, variants, proxy, { ...rounds, connections: CONNECTIONS })
  console.log(`\n${formatTable(results, variants)}\n`)

  const least = assert ?? TARGET
  const ratios = [...results].map(([connections, figures]) => ({
    connections,
    ratio: figures.get(gateway)?.ratio.median ?? 0,
  }))
  for (const { connections, ratio } of ratios) {
    const verdict = verdictOf(ratio >= least)
    console.log(`${verdict} ${ratio.toFixed(2)} at ${connections} connections, at least ${least}`)
  }
  return assert !== null && ratios.some(({ ratio }) => ratio < assert) ? 1 : 0
}

function describeRun(
  upstream: string,
  pinned: boolean,
  { rounds, sliceMs }: Pick<BenchOptions, 'rounds' | 'sliceMs'>,
): string {
  const where = pinned ? 'load and upstream on one half, servers on the other' : 'not pinned'
  return [
    `${availableParallelism()} cores (${where}), Node ${process.version}, ${process.platform} ${process.arch}`,
    `upstream: ${upstream}; ${rounds} rounds of ${sliceMs} ms; medians, ratios with quartiles`,
  ].join('\n')
}
