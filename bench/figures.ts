/**
 * Measures single figures that have a target: the journal, a fallback, programs, batches and long lists. Each compares two things that
 * take turns in one run; bench/README.md explains the rows.
 */
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import {
  type Bench,
  describeBench,
  fallbackVariant,
  gatewayVariant,
  proxyVariant,
  withBench,
} from './support/bench.ts'
import { capabilityCall } from './support/calls.ts'
import { threadTime } from './support/cpu-time.ts'
import type { Slice, SliceResult } from './support/load.ts'
import { nextMessage, type Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'
import { compareAll, measure, type Variant } from './support/rounds.ts'
import { type Server, startGateway } from './support/servers.ts'
import { type Spread, spreadOf } from './support/spread.ts'
import { formatSpread, printTarget } from './support/table.ts'

/** The upstream's time in a batch and in a single read. A real GraphQL API takes 100 ms and more. */
const UPSTREAM_MS = [0, 20, 100]
const TARGET_MS = 100

const PROGRAM = fileURLToPath(new URL('figures/program', import.meta.url))

const GROUPS = { rates: compareRates, list: longList, batch: compareBatch, cli: comparePrograms }

const { values } = readOptions({
  command: 'npm run bench:figures',
  about: 'Compares two things each, and the results with their targets.',
  options: {
    quick: { value: false, help: 'run only 5 rounds: a rough impression' },
    only: { value: '', help: 'some of the groups', words: Object.keys(GROUPS) },
  },
})
const { only } = values
const rounds = values.quick ? 5 : 60

for (const [name, run] of Object.entries(GROUPS)) {
  if (only === '' || only.split(',').includes(name)) {
    // Programs inherit the core of the gateway that starts them: pinned, they would all share it.
    await withBench({ nginx: true, pin: name === 'rates' }, run)
  }
}

/** The journal on against off, and a fallback against one hop of a proxy. */
async function compareRates(bench: Bench): Promise<void> {
  const proxy = await proxyVariant(bench)
  const again = await proxyVariant(bench, 'second proxy')
  const on = await gatewayVariant(bench)
  const off = await gatewayVariant(bench, { name: 'without journal', altered: 'no-journal' })
  const fallback = await fallbackVariant(bench)
  const options = { rounds, sliceMs: 225, connections: [100] }
  console.log(`${describeBench(bench, options)}\n`)
  const variants = [proxy, again, on, off, fallback]
  const samples = await measure(bench.load, variants, options)
  const rate = (variant: Variant, base: Variant): Spread | undefined =>
    compareAll(samples, base).get(100)?.get(variant)?.ratio
  const cost = (variant: Variant, base: Variant) =>
    compareAll(samples, base).get(100)?.get(variant)?.cpuRatio ?? undefined
  console.log(
    `       two equal proxies: ${show(rate(again, proxy))}, CPU ${show(cost(again, proxy))}`,
  )
  printTarget('journal on / off, requests/s, c=100', { spread: rate(on, off), least: 0.92 })
  console.log(`       the same, CPU per request: ${show(cost(on, off))}`)
  printTarget('first route 503 / one hop of a proxy, requests/s, c=100', {
    spread: rate(fallback, proxy),
    least: 0.85,
  })
  console.log(`       the same, CPU per request: ${show(cost(fallback, proxy))}`)
  console.log(`       first route 503 / read without a failure, CPU: ${show(cost(fallback, on))}`)
}

/** The time that a list of 10,000 items takes of the thread that serves all calls. */
async function longList(bench: Bench): Promise<void> {
  const { gateway, post } = await startFigures(bench)
  const pid = gateway.pid ?? 0
  const main = () => threadTime(`/proc/${pid}/task/${pid}`) / 1000
  const times: number[] = []
  const inAll: number[] = []
  for (let n = 0; n < 10 + rounds; n++) {
    const [before, began] = [main(), performance.now()]
    await post('/v1/capabilities/figures.items', { number: n })
    if (n < 10) continue
    times.push(main() - before)
    inAll.push(performance.now() - began)
  }
  printTarget('list of 10,000 items, CPU time of the main thread, ms', {
    spread: spreadOf(times),
    most: 80,
  })
  console.log(`       the same, wall: ${show(spreadOf(inAll))} ms`)
}

async function compareBatch(bench: Bench): Promise<void> {
  const { post } = await startFigures(bench)
  let number = 0
  const call = (ms: number) => ({ capability: 'figures.issue', input: { number: ++number, ms } })
  const single = (ms: number) => post('/v1/capabilities/figures.issue', call(ms).input)
  const batch = (ms: number) =>
    post('/v1/batch', { calls: Array.from({ length: 20 }, () => call(ms)) })
  for (const ms of UPSTREAM_MS) {
    const { ratio, first, second } = await alternate(
      () => batch(ms),
      () => single(ms),
      {
        warmUp: ms === 0 ? 500 : 10,
        rounds: rounds * 2,
      },
    )
    const what = `batch of 20 GraphQL reads / one read, wall, upstream ${ms} ms`
    if (ms === TARGET_MS) printTarget(what, { spread: ratio, most: 1.5 })
    else console.log(`       ${what}: ${show(ratio)}`)
    console.log(`       batch ${show(first)} ms, one read ${show(second)} ms`)
  }
}

async function comparePrograms(bench: Bench): Promise<void> {
  const { gateway, post } = await startFigures(bench)
  const module = new URL('support/bare-spawn.ts', import.meta.url)
  const { child: bare } = await bench.processes.fork(module, [PROGRAM], 'servers')
  let number = 0
  const call = (kind: string) => post(`/v1/capabilities/figures.${kind}`, { number: ++number })
  for (const [kind, most] of [
    ['slow', 1.03],
    ['quick', 1.5],
  ] as const) {
    const { ratio, first, second } = await alternate(
      () => call(kind),
      async () => {
        bare.send([kind])
        await nextMessage(bare)
      },
      { warmUp: kind === 'quick' ? 200 : 10, rounds: rounds * 4 },
    )
    printTarget(`CLI route / bare spawn of a ${kind} program, wall`, { spread: ratio, most })
    console.log(`       CLI route ${show(first)} ms, bare spawn ${show(second)} ms`)
  }
  await feelPrograms(bench, gateway, call)
}

/** The slowest of a hundred REST calls while programs run, against the same without them. */
async function feelPrograms(
  { load }: Bench,
  { port }: Server,
  call: (kind: string) => Promise<unknown>,
): Promise<void> {
  const slice = async (): Promise<number> => {
    const rest = capabilityCall('figures.one', null)
    load.send({ call: rest, ports: [port], connections: 10, ms: 1000 } satisfies Slice)
    const result = (await nextMessage(load)) as SliceResult
    if (!result.ok) throw new Error(result.message)
    return result.p99
  }
  for (let warmUp = 0; warmUp < 10; warmUp++) await slice()
  for (const kind of ['slow', 'quick']) {
    const ratios: number[] = []
    for (let round = 0; round < rounds / 2; round++) {
      const idle = await slice()
      const running = keepCalling(() => call(kind))
      ratios.push((await slice()) / idle)
      await running.stop()
    }
    const what = `REST p99 while two callers run the ${kind} program / idle, c=10`
    if (kind === 'slow') printTarget(what, { spread: spreadOf(ratios), most: 2 })
    else console.log(`       ${what}: ${show(spreadOf(ratios))}`)
  }
}

function keepCalling(call: () => Promise<unknown>): { stop(): Promise<unknown> } {
  let stopped = false
  const caller = async () => {
    while (!stopped) await call()
  }
  const callers = Promise.all([caller(), caller()])
  return {
    stop: () => {
      stopped = true
      return callers
    },
  }
}

interface Figures {
  readonly gateway: Server
  /** @throws unless the answer is a success */
  readonly post: (path: string, body: object) => Promise<void>
}

async function startFigures({ processes, directory }: Bench): Promise<Figures> {
  const port = await startFiguresUpstream(processes)
  const gateway = await startGateway(processes, directory, port, {
    env: {
      FIGURES_URL: `http://127.0.0.1:${port}`,
      SIGNALBOX_PACKS: 'none',
      SIGNALBOX_CAPABILITIES: fileURLToPath(new URL('figures', import.meta.url)),
    },
  })
  const pool = new Pool(`http://127.0.0.1:${gateway.port}`)
  const headers = { 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const sent = { path, method: 'POST', headers, body: JSON.stringify(body) } as const
    const answer = await pool.request(sent)
    const text = await answer.body.text()
    if (answer.statusCode !== 200 || !text.startsWith('{"ok":true') || text.includes('"ok":false'))
      throw new Error(`${path} answered ${text.slice(0, 2000)}`)
  }
  return { gateway, post }
}

async function startFiguresUpstream(processes: Processes): Promise<number> {
  const module = new URL('support/figures-upstream.ts', import.meta.url)
  const { first } = await processes.fork(module, [], 'load')
  return Number(first)
}

interface Turns {
  /** Runs of each that do not count. */
  readonly warmUp: number
  readonly rounds: number
}

/** Runs two actions in turns. @returns their times in ms, and the ratio of neighbours */
async function alternate(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  turns: Turns,
) {
  const times: { first: number; second: number }[] = []
  for (let n = 0; n < turns.warmUp + turns.rounds; n++) {
    const pair = { first: await timeOf(first), second: await timeOf(second) }
    if (n >= turns.warmUp) times.push(pair)
  }
  return {
    ratio: spreadOf(times.map(pair => pair.first / pair.second)),
    first: spreadOf(times.map(pair => pair.first)),
    second: spreadOf(times.map(pair => pair.second)),
  }
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await action()
  return performance.now() - began
}

function show(spread: Spread | undefined): string {
  return spread ? formatSpread(spread) : '–'
}
