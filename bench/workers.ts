/**
 * Measures what workers gain: the REST route with the journal on, answered by one process and by several. Load, upstream and
 * gateways share all cores, so the ratio is what one machine gains that does all three. As many gateways that share nothing show the most
 * that could be gained.
 */
import { rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { UNCHANGED_READ } from './support/calls.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'
import { compareAll, measure, type Variant, WARM_UP_REQUESTS } from './support/rounds.ts'
import { startGateway, startUpstream } from './support/servers.ts'
import { formatTable, verdictOf } from './support/table.ts'

const TARGET = 1.3
const CONNECTIONS = [16, 100]

const { values } = readOptions({
  command: 'npm run bench:workers',
  about: 'Compares the requests per second of several workers with those of one process.',
  options: {
    workers: { value: 2, help: 'workers of the gateway' },
    quick: { value: false, help: 'run only 5 rounds: a rough impression' },
  },
})
const { workers } = values
const rounds = values.quick ? { rounds: 5, sliceMs: 1000 } : { rounds: 30, sliceMs: 1000 }

const directory = await scratchDirectory('bench')
const processes = new Processes(false)
try {
  const upstream = await startUpstream(processes, directory, true)
  const start = (name: string, count: number): Promise<Variant> =>
    startGateway(processes, directory, upstream.port, { workers: count }).then(server => ({
      name,
      ...UNCHANGED_READ,
      ...server,
    }))
  const base = await start('one process', 1)
  const several = await start(`${workers} workers`, workers)
  const others: Variant[] = []
  while (others.length < workers - 1) others.push(await start('another', 1))
  const apart = { ...(await start(`${workers} gateways`, 1)), others }
  const variants = [base, await start('one more', 1), several, apart]
  const { child: load } = await processes.fork(
    new URL('./support/load.ts', import.meta.url),
    [],
    'load',
  )
  const before = loadavg()[0]?.toFixed(1)
  console.log(
    `${availableParallelism()} cores for load, ${upstream.name} and gateways; Node ${process.version}; load average before: ${before}`,
  )
  const samples = await measure(load, variants, {
    ...rounds,
    connections: CONNECTIONS,
    // Each worker gets its share of the requests, and warms up as slowly as one process.
    warmUpRequests: WARM_UP_REQUESTS * workers,
  })
  const results = compareAll(samples, base)
  console.log(`\n${formatTable(results, variants)}\n`)
  for (const [connections, figures] of results) {
    const [ratio, most] = [several, apart].map(one => figures.get(one)?.ratio.median ?? 0) as [
      number,
      number,
    ]
    const verdict = verdictOf(ratio >= TARGET)
    console.log(
      `${verdict} ${ratio.toFixed(2)} at ${connections} connections, at least ${TARGET}; ${apart.name} that share nothing: ${most.toFixed(2)}`,
    )
  }
} finally {
  await processes[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
}
