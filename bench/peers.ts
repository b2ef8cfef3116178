/**
 * Compares Signalbox with other people's gateways, all in one run: each in the job that is closest to a read with
 * fallback, before the same upstream. bench/README.md says what each row does.
 */
import {
  type Bench,
  bareVariant,
  describeBench,
  directVariant,
  fallbackVariant,
  gatewayVariant,
  PROXIED,
  proxyVariant,
} from './support/bench.ts'
import type { BenchOptions } from './support/options.ts'
import { installPeers, startPeers } from './support/peers.ts'
import { compareAll, measure, type Samples, type Variant } from './support/rounds.ts'
import { formatTable, printTarget } from './support/table.ts'

const CONNECTIONS = [1, 10, 100]

/** @returns the exit code. */
export async function comparePeers(bench: Bench, options: BenchOptions): Promise<number> {
  await installPeers()
  const rest = await gatewayVariant(bench)
  const fallback = await fallbackVariant(bench)
  const proxy = await proxyVariant(bench)
  const own = [directVariant(bench), rest, fallback, await bareVariant(bench), proxy]
  const again = await proxyVariant(bench, 'second proxy')
  const { processes, directory, upstream, load } = bench
  const address = `http://127.0.0.1:${upstream.port}`
  const peers = await startPeers(processes, directory, address, PROXIED)
  const { express, portkey, portkeyFallback, hive } = peers
  const variants = [...own, again, express, portkey, portkeyFallback, hive]
  console.log(describeBench(bench, options))
  const samples = await measure(load, variants, { ...options, connections: CONNECTIONS })
  console.log(`\n${formatTable(compareAll(samples, proxy), variants)}\n`)

  const rate = (variant: Variant, base: Variant, connections: number, least: number) =>
    printTarget(`${variant.name} / ${base.name}, c=${connections}`, {
      spread: compareAll(samples, base).get(connections)?.get(variant)?.ratio,
      least,
    })
  rate(rest, proxy, 100, 1.15)
  rate(rest, proxy, 10, 1.1)
  rate(rest, proxy, 1, 0.85)
  rate(fallback, proxy, 100, 0.85)
  rate(rest, portkey, 100, 4.2)
  rate(fallback, portkeyFallback, 100, 4.5)
  rate(rest, express, 100, 1.9)
  rate(rest, hive, 100, 4.8)
  const cost = compareAll(samples, proxy).get(100)?.get(rest)?.cpuRatio
  printTarget('CPU time per request, signalbox / proxy, c=100', { spread: cost, most: 0.92 })
  printLimit(samples, own[0] as Variant)
  return 0
}

/** The load must be able to send more than any server takes. */
function printLimit(samples: Samples, direct: Variant): void {
  const limits = [...compareAll(samples, direct)].map(
    ([connections, figures]) =>
      `${figures.get(direct)?.requestsPerSecond.toFixed(0)} at c=${connections}`,
  )
  console.log(`\nrequests/s of the load alone, straight to the upstream: ${limits.join(', ')}`)
}
