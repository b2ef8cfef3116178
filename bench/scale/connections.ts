import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scale } from '../scale.ts'
import { UNCHANGED_READ } from '../support/calls.ts'
import { type Curve, FLAT, figure, LINEAR } from '../support/curve.ts'
import { memoryOf } from '../support/holdings.ts'
import { runSlice, type Sample } from '../support/rounds.ts'
import { PATIENT, startGateway, startUpstream } from '../support/servers.ts'
import { median } from '../support/spread.ts'

const SLICES = 5
const SLICE_MS = 2000
const CARDS = new URL('../cards/', import.meta.url)

/** More connections to one gateway, each with a call in flight all the time. */
export async function connectionsCurve(scale: Scale): Promise<Curve> {
  const { processes, directory, quick } = scale
  const at = quick ? [1, 10, 100] : [1, 10, 100, 300, 1000]
  const upstream = await startUpstream(processes, directory, true)
  const cards = await patientCards(directory)
  const gateway = await startGateway(processes, directory, upstream.port, { cards, env: PATIENT })
  const module = new URL('../support/load.ts', import.meta.url)
  const { child } = await processes.fork(module, [], 'load')
  const slice = (connections: number) =>
    runSlice(child, { name: 'gateway', ...UNCHANGED_READ, ...gateway }, connections, SLICE_MS)
  // V8 compiles what is called often, and its spaces grow.
  for (let calls = 0; calls < (quick ? 2000 : 20_000); ) calls += (await slice(32)).requests
  const points: Point[] = []
  for (const count of at) {
    const samples: Sample[] = []
    // New connections and a longer queue come first.
    await slice(count)
    for (let n = 0; n < SLICES; n++) samples.push(await slice(count))
    points.push({ ...toPoint(samples), mb: await memoryOf(gateway.pid as number) })
    console.log(`${count} connections: ${JSON.stringify(points.at(-1))}`)
  }
  return {
    title: 'Connections',
    along: 'connections',
    at,
    figures: [
      figure('call, CPU µs', points, 'cost', 0, FLAT),
      figure('memory, MB', points, 'mb', 0, LINEAR),
      figure('median of a call, ms', points, 'p50', 1, LINEAR),
      figure('calls/s', points, 'rate', 0, null),
    ],
  }
}

interface Point extends Readonly<Record<'cost' | 'p50' | 'rate' | 'mb', number>> {}

function toPoint(samples: readonly Sample[]): Omit<Point, 'mb'> {
  return {
    cost: median(samples.map(({ cpu, requests }) => (cpu ?? Number.NaN) / requests)),
    p50: median(samples.map(({ p50 }) => p50)),
    rate: median(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
  }
}

/** The calls of all connections may wait for the upstream's sockets. */
async function patientCards(directory: string): Promise<string> {
  const folder = join(directory, 'connections')
  await cp(CARDS, folder, { recursive: true })
  const file = join(folder, 'upstream.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('rest:\n', 'rest:\n  max_queue: 2000\n'))
  return folder
}
