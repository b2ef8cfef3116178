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
import { guard } from './guard.ts'
import { comparePeers } from './peers.ts'
import {
  type Bench,
  describeBench,
  directVariant,
  gatewayVariant,
  proxyVariant,
  withBench,
} from './support/bench.ts'
import { type BenchOptions, readBenchOptions } from './support/options.ts'
import { compareAll, measure, type Variant } from './support/rounds.ts'
import { formatTable, verdictOf } from './support/table.ts'

/** The gateway must reach this share of the bare proxy's requests per second. */
const TARGET = 0.8
const CONNECTIONS = [10, 100]
/** Two checkouts must do the same work, and the shipped card has grown since older ones. */
const UNCHANGED = 'bench.repository'

const KINDS = { pipeline: comparePipeline, peers: comparePeers, guard }

const options = readBenchOptions()
if (options) {
  process.exitCode = await withBench(options, bench => KINDS[options.kind](bench, options))
}

/** @returns the exit code. */
async function comparePipeline(
  bench: Bench,
  { assert, profile, against, ...rounds }: BenchOptions,
): Promise<number> {
  const { variants, base, gateway } =
    against === null
      ? await startBesideProxies(bench, profile)
      : await startBesideOther(bench, against, profile)
  console.log(describeBench(bench, rounds))
  const samples = await measure(bench.load, variants, { ...rounds, connections: CONNECTIONS })
  const results = compareAll(samples, base)
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

interface Started {
  readonly variants: readonly Variant[]
  /** The variant to which ratios refer. */
  readonly base: Variant
  readonly gateway: Variant
}

async function startBesideProxies(bench: Bench, profile: string | null): Promise<Started> {
  const gateway = await gatewayVariant(bench, { profile })
  const base = await proxyVariant(bench)
  const again = await proxyVariant(bench, 'second proxy')
  return { variants: [directVariant(bench), base, again, gateway], base, gateway }
}

/** Starts the gateway of another checkout, twice: the distance between the two is the noise of the run. */
async function startBesideOther(
  bench: Bench,
  checkout: string,
  profile: string | null,
): Promise<Started> {
  const capability = UNCHANGED
  const gateway = await gatewayVariant(bench, { name: 'this checkout', capability, profile })
  const base = await gatewayVariant(bench, { name: checkout, capability, checkout })
  const again = await gatewayVariant(bench, { name: 'the same again', capability, checkout })
  return { variants: [base, again, gateway], base, gateway }
}
