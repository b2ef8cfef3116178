/**
 * Measures what workers gain: the REST route with the journal on, answered by one process and by several. Load, upstream and
 * gateways share all cores, so the ratio is what one machine gains that does all three.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Processes } from './support/processes.ts'
import { measure, type Variant } from './support/rounds.ts'
import { startGateway, startUpstream } from './support/servers.ts'
import { formatTable, verdictOf } from './support/table.ts'

const TARGET = 1.3
const CONNECTIONS = [16, 100]

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
  },
})
const workers = Number(values.workers)
const rounds = values.quick ? { rounds: 5, sliceMs: 1000 } : { rounds: 30, sliceMs: 1000 }

const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const processes = new Processes(false)
try {
  const upstream = await startUpstream(processes, directory, true)
  const start = (name: string, count: number): Promise<Variant> =>
    startGateway(processes, directory, upstream.port, { workers: count }).then(server => ({
      name,
      ...server,
    }))
  const base = await start('one process', 1)
  const variants = [base, await start('one more', 1), await start(`${workers} workers`, workers)]
  const { child: load } = await processes.fork(
    new URL('./support/load.ts', import.meta.url),
    ['bench.repository'],
    'load',
  )
  const before = loadavg()[0]?.toFixed(1)
  console.log(
    `${availableParallelism()} cores for load, ${upstream.name} and gateways; Node ${process.version}; load average before: ${before}`,
  )
  const results = await measure(load, variants, base, { ...rounds, connections: CONNECTIONS })
  console.log(`\n${formatTable(results, variants)}\n`)
  for (const [connections, figures] of results) {
    const ratio = figures.get(variants.at(-1) as Variant)?.ratio.median ?? 0
    const verdict = verdictOf(ratio >= TARGET)
    console.log(`${verdict} ${ratio.toFixed(2)} at ${connections} connections, at least ${TARGET}`)
  }
} finally {
  await processes[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
}
