/**
 * What the pipeline costs: the REST route, with the journal on, against a bare `@fastify/http-proxy` and
 * against the upstream itself, in one run, as ratios.
 *
 * Two features make repeated calls cheap and must not flatter the figure. Identical concurrent reads
 * become one upstream call, so each request asks for another repository (10,000 in turn); answers with an
 * ETag are kept and revalidated, so the upstream sends none. Every request measured is one upstream
 * request and one journal entry. All variants get the same POST; the proxy forwards it with its body.
 *
 * Two identical proxies run side by side: how far their ratio is from 1 is what noise alone does. CPU time
 * for one request, all threads counted, is the steadier figure on a machine that does other work too.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchOptions, readOptions } from './support/options.ts'
import { Processes } from './support/processes.ts'
import { measure, type Variant } from './support/rounds.ts'
import { startGateway, startHttpProxy, startUpstream } from './support/servers.ts'
import { formatTable } from './support/table.ts'

/** The least share of the bare proxy's requests per second that the gateway is to reach. */
const TARGET = 0.8
const CONNECTIONS = [10, 100]

const options = readOptions()
if (options) process.exitCode = await bench(options)

/** The exit code. */
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
  const twin = { name: 'the same again', ...(await startHttpProxy(processes, upstream.port)) }
  const gateway = {
    name: 'signalbox, rest',
    ...(await startGateway(processes, directory, upstream.port, profile)),
  }
  const { child: load } = await processes.fork(
    new URL('./support/load.ts', import.meta.url),
    [],
    'load',
  )
  const variants: Variant[] = [direct, proxy, twin, gateway]
  print(describeRun(upstream.name, processes.pinned, rounds))
  const results = await measure(load, variants, proxy, { ...rounds, connections: CONNECTIONS })
  print(`\n${formatTable(results, variants)}\n`)

  const least = assert ?? TARGET
  const ratios = [...results].map(([connections, figures]) => ({
    connections,
    ratio: figures.get(gateway)?.ratio.median ?? 0,
  }))
  for (const { connections, ratio } of ratios) {
    const verdict = ratio >= least ? 'met' : 'MISSED'
    print(`${verdict}: ${ratio.toFixed(2)} at ${connections} connections, target ${least}`)
  }
  return assert !== null && ratios.some(({ ratio }) => ratio < assert) ? 1 : 0
}

function describeRun(
  upstream: string,
  pinned: boolean,
  { rounds, sliceMs }: Pick<BenchOptions, 'rounds' | 'sliceMs'>,
): string {
  const where = pinned ? 'load and upstream on one half of them, servers on the other' : 'shared'
  return [
    `${availableParallelism()} cores (${where}), Node ${process.version}, ${process.platform} ${process.arch}`,
    `upstream: ${upstream}; ${rounds} rounds of ${sliceMs} ms; medians, ratios with quartiles`,
  ].join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
