import { availableParallelism } from 'node:os'
import type { Scale } from '../scale.ts'
import { UNCHANGED_READ } from '../support/calls.ts'
import { type Curve, FLAT, figure, LINEAR } from '../support/curve.ts'
import { memoryOf } from '../support/holdings.ts'
import { compareAll, measure, type Variant } from '../support/rounds.ts'
import { PATIENT, startGateway, startUpstream } from '../support/servers.ts'

const CONNECTIONS = 100

/** More workers on the same cores. Up to the number of cores that the load leaves, calls per second grow. */
export async function workersCurve(scale: Scale): Promise<Curve> {
  const { processes, directory, quick } = scale
  const at = quick ? [1, 2, 3] : [1, 2, 3, 4]
  const upstream = await startUpstream(processes, directory, true)
  const variants: Variant[] = []
  for (const workers of at) {
    const server = await startGateway(processes, directory, upstream.port, {
      workers,
      env: PATIENT,
    })
    variants.push({ name: `${workers} workers`, ...UNCHANGED_READ, ...server })
  }
  const load = new URL('../support/load.ts', import.meta.url)
  const { child } = await processes.fork(load, [], 'load')
  const rounds = { rounds: quick ? 3 : 20, sliceMs: 1000, connections: [CONNECTIONS] }
  const samples = await measure(child, variants, rounds)
  const results = compareAll(samples, variants[0] as Variant)
  const points = await Promise.all(
    variants.map(async variant => {
      const figures = results.get(CONNECTIONS)?.get(variant)
      const gain = figures?.ratio.median ?? Number.NaN
      return { gain, cost: figures?.cpu ?? Number.NaN, mb: await memoryOf(variant.pid as number) }
    }),
  )
  return {
    title: `Workers, on ${availableParallelism()} cores with load and upstream`,
    along: 'workers',
    at,
    figures: [
      figure('call, CPU µs', points, 'cost', 0, FLAT),
      figure('memory, MB', points, 'mb', 0, LINEAR),
      figure('calls/s to those of one', points, 'gain', 2, null),
    ],
  }
}
