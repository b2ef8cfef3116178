/**
 * Calls a gateway as fast as it answers, and prints what it and the processes below it hold. Fails if that is more than
 * 300 MB for each process of the gateway, or 5 % more at the highest point of the second half than at that of the first.
 *
 *   node bench/resident.ts [--calls 1000000] [--connections 100] [--workers 1]
 *
 * Everything is new to the gateway: each call reads another repository. `shared` is the memory of files, mostly of Node
 * itself, that all Node processes of the machine share.
 */
import { gatewayVariant, withBench } from './support/bench.ts'
import { type ProcessMemory, processMemoryOf } from './support/holdings.ts'
import { readOptions } from './support/read-options.ts'
import { runSlice, type Sample } from './support/rounds.ts'
import { verdictOf } from './support/table.ts'

const SLICE_MS = 1000
const SAMPLES = 10
const MOST_MB = 300
/** The second half with the first: V8 compiles at the beginning, and its spaces grow. */
const MOST_PERCENT = 5

const { values } = readOptions({
  command: 'npm run bench:resident',
  about: 'Measures the memory of a gateway while it answers as fast as it can.',
  options: {
    calls: { value: 1_000_000, help: 'calls in all' },
    connections: { value: 100, help: 'connections at once' },
    workers: { value: 1, help: 'workers of the gateway' },
  },
})
const { calls, connections, workers } = values

process.exitCode = await withBench({ nginx: true }, async bench => {
  const gateway = await gatewayVariant(bench, { workers })
  const sizes: number[] = []
  const print = async (sent: number, cost: string) => {
    const memory = await processMemoryOf(Number(gateway.pid))
    sizes.push(memory.rssMb)
    console.log(`${String(sent).padStart(9)} calls  ${describe(memory)}${cost}`)
  }
  await print(0, '')
  for (let sent = 0, next = 1; sent < calls; ) {
    const slices: Sample[] = []
    const from = sent
    while (sent < (calls * next) / SAMPLES) {
      const slice = await runSlice(bench.load, gateway, connections, SLICE_MS)
      slices.push(slice)
      sent += slice.requests
    }
    next++
    const cpu = slices.reduce((sum, slice) => sum + (slice.cpu ?? 0), 0)
    await print(sent, `  ${(cpu / (sent - from)).toFixed(0)} µs of CPU a call`)
  }
  return judge(sizes, Number(values.workers)) ? 0 : 1
})

function describe({ rssMb, ownMb, sharedMb, processes }: ProcessMemory): string {
  const parts = `${ownMb.toFixed(0)} own, ${sharedMb.toFixed(0)} shared`
  return `${rssMb.toFixed(1)} MB in ${processes} processes (${parts})`
}

/** Memory rises and falls with the major collections, so the highest point of each half counts. */
function judge(sizes: readonly number[], workers: number): boolean {
  const middle = Math.ceil(sizes.length / 2)
  const [before, after] = [sizes.slice(0, middle), sizes.slice(middle)].map(half =>
    Math.max(...half),
  )
  const percent = (Number(after) / Number(before) - 1) * 100
  // The process that starts workers holds the journal and the state.
  const most = MOST_MB * (workers === 1 ? 1 : workers + 1)
  const growth = `${percent.toFixed(1)} % more in the second half, at most ${MOST_PERCENT}`
  const checks = [
    [`${Number(after).toFixed(0)} MB at most, and no more than ${most}`, Number(after) <= most],
    [growth, percent <= MOST_PERCENT],
  ] as const
  for (const [text, holds] of checks) console.log(`${verdictOf(holds)} ${text}`)
  return checks.every(([, holds]) => holds)
}
