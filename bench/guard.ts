/**
 * Fails if a request costs more CPU time than at the last change that was meant to alter it: relative to a bare proxy in the same run,
 * because that ratio hardly depends on the machine. `bench/guard.json` has the figures of that change.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import {
  type Bench,
  describeBench,
  fallbackVariant,
  gatewayVariant,
  proxyVariant,
} from './support/bench.ts'
import { type GuardFigure, judge, TOO_NOISY } from './support/judge.ts'
import type { BenchOptions } from './support/options.ts'
import { compareAll, measure, type Results, type Variant } from './support/rounds.ts'
import { formatTable, verdictOf } from './support/table.ts'

const FILE = new URL('guard.json', import.meta.url)
const CONNECTIONS = [10, 100]

interface Committed {
  readonly commit: string
  readonly machine: string
  /** CPU time per request, divided by that of the proxy. */
  readonly figures: Readonly<Record<string, GuardFigure>>
}

/** @returns the exit code. */
export async function guard(bench: Bench, options: BenchOptions): Promise<number> {
  const proxy = await proxyVariant(bench)
  const again = await proxyVariant(bench, 'second proxy')
  const gateways = [await gatewayVariant(bench), await fallbackVariant(bench)]
  const variants = [proxy, again, ...gateways]
  console.log(describeBench(bench, options))
  const samples = await measure(bench.load, variants, { ...options, connections: CONNECTIONS })
  const results = compareAll(samples, proxy)
  console.log(`\n${formatTable(results, variants)}\n`)
  const figures = figuresOf(results, gateways, again)
  return options.update ? await update(figures) : await compare(figures)
}

function figuresOf(
  results: Results,
  gateways: readonly Variant[],
  again: Variant,
): Readonly<Record<string, GuardFigure>> {
  const rows = [...results].flatMap(([connections, figures]) =>
    gateways.map(gateway => {
      const spread = figures.get(gateway)?.cpuRatio
      const second = figures.get(again)?.cpuRatio
      if (!spread || !second) throw new Error('the guard needs a system that reports CPU time')
      const figure = { ...rounded(spread), noise: round(Math.abs(second.median - 1)) }
      return [`${gateway.name}, c=${connections}`, figure] as const
    }),
  )
  return Object.fromEntries(rows)
}

const round = (value: number) => Math.round(value * 1000) / 1000
const rounded = ({ low, median, high }: Omit<GuardFigure, 'noise'>) => ({
  low: round(low),
  median: round(median),
  high: round(high),
})

async function update(figures: Committed['figures']): Promise<number> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${availableParallelism()} cores, Node ${process.version}, ${process.platform} ${process.arch}`
  const committed: Committed = { commit, machine, figures }
  await writeFile(FILE, `${JSON.stringify(committed, null, 2)}\n`)
  console.log('wrote bench/guard.json')
  return 0
}

async function compare(figures: Committed['figures']): Promise<number> {
  const committed = JSON.parse(await readFile(FILE, 'utf8')) as Committed
  console.log(`compared with ${committed.commit} (${committed.machine})`)
  let failed = false
  for (const [name, now] of Object.entries(figures)) {
    const before = committed.figures[name]
    if (!before) throw new Error(`bench/guard.json has no figure for ${name}: run --guard --update`)
    const { ok, risen, most, noise } = judge(before, now)
    failed ||= !ok
    const limit =
      noise > TOO_NOISY && !risen ? 'too noisy to tell: run it again' : `at most ${most.toFixed(2)}`
    console.log(
      `${verdictOf(ok)} ${name}: ${now.median.toFixed(2)} after ${before.median.toFixed(2)}, ${limit} (noise ${noise.toFixed(2)})`,
    )
  }
  return failed ? 1 : 0
}
