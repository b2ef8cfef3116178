import type { ChildProcess } from 'node:child_process'
import { type Call, toRequest } from './calls.ts'
import { Client } from './client.ts'
import { cpuTime } from './cpu-time.ts'
import type { Slice, SliceResult } from './load.ts'
import { nextMessage } from './processes.ts'
import { median, type Spread, spreadOf } from './spread.ts'

export interface Variant {
  readonly name: string
  readonly port: number
  /** The process that answers; null if the bench does not measure its CPU time. */
  readonly pid: number | null
  /** More servers like it, which get their share of the connections. @default none */
  readonly others?: readonly Pick<Variant, 'port' | 'pid'>[]
  readonly call: Call
  /** A part of each answer. Some servers report a failure with status 200. */
  readonly expected: string
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
  /** To each server, before the first round. @default enough for the JIT compiler to settle */
  readonly warmUpRequests?: number
}

/** The samples of each variant, by number of connections. */
export type Samples = ReadonlyMap<number, ReadonlyMap<Variant, readonly Sample[]>>

/** One slice, with the CPU time of the server in microseconds. */
export type Sample = Extract<SliceResult, { ok: true }> & { readonly cpu: number | null }

/**
 * The speed of a core drifts. Variants therefore take turns in short slices, in a random order each round,
 * and only slices of the same round are compared.
 */
export async function measure(
  load: ChildProcess,
  variants: readonly Variant[],
  { rounds, sliceMs, connections, warmUpRequests = WARM_UP_REQUESTS }: RoundOptions,
): Promise<Samples> {
  const samples = new Map(connections.map(count => [count, new Map<Variant, Sample[]>()]))
  for (const variant of variants) await tryOne(variant)
  await warmUp(load, variants, connections, warmUpRequests)
  for (let round = 0; round < rounds; round++) {
    for (const [count, ofVariant] of samples) {
      for (const variant of shuffled(variants)) {
        const sample = await runSlice(load, variant, count, sliceMs)
        ofVariant.set(variant, [...(ofVariant.get(variant) ?? []), sample])
      }
    }
  }
  return samples
}

/** @throws if the answer is not the one that the bench means to measure. */
async function tryOne({ name, port, call, expected }: Variant): Promise<void> {
  const client = new Client(port)
  const answer = await client.send(toRequest(call, 0))
  client.close()
  if (!answer.toString().includes(expected)) {
    throw new Error(`${name} answered without ${expected}:\n${answer.toString().slice(0, 2000)}`)
  }
}

/**
 * The JIT compiler settles after about 17,000 requests. A server with more code would look slower than it is before that,
 * and all the more so on a busy machine, where a fixed time would be too short.
 */
export const WARM_UP_REQUESTS = 20_000
const WARM_UP_SLICE_MS = 2000
/** A slow server settles later than that. */
const LONGEST_WARM_UP_MS = 60_000

async function warmUp(
  load: ChildProcess,
  variants: readonly Variant[],
  connections: readonly number[],
  requests: number,
): Promise<void> {
  for (const variant of variants.filter(({ pid }) => pid !== null)) {
    const until = performance.now() + LONGEST_WARM_UP_MS
    let sent = 0
    for (let n = 0; sent < requests && performance.now() < until; n++) {
      // The most connections come first: they are the quickest way to many requests.
      const count = connections.toReversed()[n % connections.length] ?? 1
      sent += (await runSlice(load, variant, count, WARM_UP_SLICE_MS)).requests
    }
  }
}

export async function runSlice(
  load: ChildProcess,
  variant: Variant,
  connections: number,
  ms: number,
): Promise<Sample> {
  const { name, call } = variant
  const ports = serversOf(variant).map(({ port }) => port)
  const before = cpuOf(variant)
  load.send({ call, ports, connections, ms } satisfies Slice)
  const result = (await nextMessage(load)) as SliceResult
  if (!result.ok) throw new Error(`${name} gave a bad answer: ${result.message}`)
  const after = cpuOf(variant)
  return { ...result, cpu: before === null || after === null ? null : after - before }
}

function serversOf(variant: Variant): readonly Pick<Variant, 'port' | 'pid'>[] {
  return [variant, ...(variant.others ?? [])]
}

/** Null if the time of any of its servers is not known. */
function cpuOf(variant: Variant): number | null {
  const times = serversOf(variant).map(({ pid }) => (pid === null ? null : cpuTime(pid)))
  return times.reduce((sum, time) => (sum === null || time === null ? null : sum + time), 0)
}

export type Results = ReadonlyMap<number, ReadonlyMap<Variant, Figures>>

/** Divides the samples of each variant by those of one of them. */
export function compareAll(samples: Samples, base: Variant): Results {
  return new Map([...samples].map(([count, ofVariant]) => [count, compare(ofVariant, base)]))
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
