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
const SHIPPED = 'repo.view'
/** Two checkouts must do the same work, and the shipped card has grown since older ones. */
const UNCHANGED = 'bench.repository'

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
  { assert, nginx, profile, against, ...rounds }: BenchOptions,
  processes: Processes,
  directory: string,
): Promise<number> {
  const upstream = await startUpstream(processes, directory, nginx)
  const gateway = {
    name: against === null ? 'signalbox, rest' : 'this checkout',
    ...(await startGateway(processes, directory, upstream.port, { profile })),
  }
  const others =
    against === null
      ? await startProxies(processes, upstream.port)
      : await startOther(processes, directory, upstream.port, against)
  const variants: Variant[] = [...others.variants, gateway]
  const { child: load } = await processes.fork(
    new URL('./support/load.ts', import.meta.url),
    [against === null ? SHIPPED : UNCHANGED],
    'load',
  )
  console.log(describeRun(upstream.name, processes.pinned, rounds))
  const results = await measure(load, variants, others.base, {
    ...rounds,
    connections: CONNECTIONS,
  })
  console.log(`\n${formatTable(results, variants)}\n`)

  const least = assert ?? (against === null ? TARGET : null)
  if (least === null) return 0
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

interface Others {
  readonly variants: readonly Variant[]
  /** The variant to which ratios refer. */
  readonly base: Variant
}

async function startProxies(processes: Processes, upstream: number): Promise<Others> {
  const direct = { name: 'direct', port: upstream, pid: null }
  const base = { name: '@fastify/http-proxy', ...(await startHttpProxy(processes, upstream)) }
  const again = { name: 'second proxy', ...(await startHttpProxy(processes, upstream)) }
  return { variants: [direct, base, again], base }
}

/** Starts the gateway of another checkout, twice: the distance between the two is the noise of the run. */
async function startOther(
  processes: Processes,
  directory: string,
  upstream: number,
  checkout: string,
): Promise<Others> {
  const start = () => startGateway(processes, directory, upstream, { checkout })
  const base = { name: checkout, ...(await start()) }
  const again = { name: 'the same again', ...(await start()) }
  return { variants: [base, again], base }
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
