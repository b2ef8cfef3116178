import type { ChildProcess } from 'node:child_process'
import { cpuTime } from './cpu-time.ts'
import type { Slice, SliceResult } from './load.ts'
import { nextMessage } from './processes.ts'
import { median, type Spread, spreadOf } from './spread.ts'

export interface Variant {
  readonly name: string
  readonly port: number
  /** The process that answers; null if the bench does not measure its CPU time. */
  readonly pid: number | null
}

/** The results of one variant at one number of connections. */
export interface Figures {
  /** Requests per second divided by those of the base variant in the same round. */
  readonly ratio: Spread
  readonly requestsPerSecond: number
  /** Median latency, ms. */
  readonly p50: number
  /** CPU time of the server per request, µs. Other work on the machine hardly changes it. */
  readonly cpu: number | null
  /** The same divided by that of the base variant in the same round; null if either is not measured. */
  readonly cpuRatio: Spread | null
}

export interface RoundOptions {
  readonly rounds: number
  readonly sliceMs: number
  readonly connections: readonly number[]
}

type Sample = Extract<SliceResult, { ok: true }> & { readonly cpu: number | null }

/**
 * The speed of a core drifts. Variants therefore take turns in short slices, in a random order each round,
 * and only slices of the same round are compared.
 */
export async function measure(
  load: ChildProcess,
  variants: readonly Variant[],
  base: Variant,
  { rounds, sliceMs, connections }: RoundOptions,
): Promise<ReadonlyMap<number, ReadonlyMap<Variant, Figures>>> {
  const samples = new Map(connections.map(count => [count, new Map<Variant, Sample[]>()]))
  await warmUp(load, variants, connections)
  for (let round = 0; round < rounds; round++) {
    for (const [count, ofVariant] of samples) {
      for (const variant of shuffled(variants)) {
        const sample = await runSlice(load, variant, count, sliceMs)
        ofVariant.set(variant, [...(ofVariant.get(variant) ?? []), sample])
      }
    }
  }
  return new Map([...samples].map(([count, ofVariant]) => [count, compare(ofVariant, base)]))
}

/** Time for the JIT compiler to finish. A server with more code would otherwise look slower than it is. */
const WARM_UP_MS = 10_000

async function warmUp(
  load: ChildProcess,
  variants: readonly Variant[],
  connections: readonly number[],
): Promise<void> {
  const servers = variants.filter(({ pid }) => pid !== null)
  for (const count of connections) {
    for (const variant of servers) await runSlice(load, variant, count, WARM_UP_MS)
  }
}

async function runSlice(
  load: ChildProcess,
  { name, port, pid }: Variant,
  connections: number,
  ms: number,
): Promise<Sample> {
  const before = pid === null ? null : cpuTime(pid)
  load.send({ port, connections, ms } satisfies Slice)
  const result = (await nextMessage(load)) as SliceResult
  if (!result.ok) throw new Error(`${name} gave a bad answer: ${result.message}`)
  const after = pid === null ? null : cpuTime(pid)
  return { ...result, cpu: before === null || after === null ? null : after - before }
}

function compare(
  samples: ReadonlyMap<Variant, readonly Sample[]>,
  base: Variant,
): ReadonlyMap<Variant, Figures> {
  const bases = samples.get(base) ?? []
  return new Map([...samples].map(([variant, own]) => [variant, figuresOf(own, bases)]))
}

function figuresOf(own: readonly Sample[], bases: readonly Sample[]): Figures {
  const rates = own.map(sample => sample.requestsPerSecond)
  const cpu = cpuPerRequest(own)
  return {
    ratio: spreadOf(rates.map((rate, round) => rate / (bases[round]?.requestsPerSecond ?? rate))),
    requestsPerSecond: median(rates),
    p50: median(own.map(sample => sample.p50)),
    cpu,
    cpuRatio: cpu === null || cpuPerRequest(bases) === null ? null : cpuRatioOf(own, bases),
  }
}

function cpuRatioOf(own: readonly Sample[], bases: readonly Sample[]): Spread {
  const costs = own.map(sample => cpuPerRequest([sample]) ?? 0)
  return spreadOf(
    costs.map((cost, round) => cost / (cpuPerRequest(bases.slice(round, round + 1)) ?? cost)),
  )
}

/** Null unless each sample has a CPU time. */
function cpuPerRequest(samples: readonly Sample[]): number | null {
  let cpu = 0
  let requests = 0
  for (const sample of samples) {
    if (sample.cpu === null) return null
    cpu += sample.cpu
    requests += sample.requests
  }
  return cpu / requests
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
