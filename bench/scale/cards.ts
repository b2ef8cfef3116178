import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scale } from '../scale.ts'
import { costOf, get, post } from '../support/cost-of.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { type Curve, FLAT, figure, LINEAR } from '../support/curve.ts'
import { memoryOf } from '../support/holdings.ts'
import { PATIENT, startGateway, startUpstream } from '../support/servers.ts'

const CARDS = new URL('../cards/', import.meta.url)
const START_MS = 600_000
/** A prime number reaches every card, far from the one before. */
const STRIDE = 7919

/** More cards of one's own: the start compiles them, and calls look them up. No shipped pack is loaded. */
export async function cardsCurve(scale: Scale): Promise<Curve> {
  const at = scale.quick ? [100, 300, 1000] : [100, 1000, 3000, 10_000]
  const upstream = await startUpstream(scale.processes, scale.directory, true)
  const points: Point[] = []
  for (const count of at) {
    const folder = await writeCards(scale.directory, count)
    points.push(await measure(scale, upstream.port, folder, count))
    console.log(`${count} cards: ${JSON.stringify(points.at(-1))}`)
  }
  return {
    title: 'Cards',
    along: 'cards',
    at,
    figures: [
      figure('start, CPU s', points, 'startS', 2, LINEAR),
      figure('after the start, MB', points, 'startMb', 0, LINEAR),
      figure('after the calls, MB', points, 'calledMb', 0, LINEAR),
      figure('call of one card, CPU µs', points, 'one', 0, FLAT),
      figure('call of many cards, CPU µs', points, 'any', 0, FLAT),
      figure('search, CPU ms', points, 'searchMs', 2, LINEAR),
      figure('/metrics, CPU ms', points, 'metricsMs', 2, LINEAR),
    ],
  }
}

type Point = Awaited<ReturnType<typeof measure>>

async function measure(
  { processes, directory, quick }: Scale,
  upstream: number,
  cards: string,
  count: number,
) {
  const env = { ...PATIENT, SIGNALBOX_PACKS: 'none' }
  const { port, pid } = await startGateway(processes, directory, upstream, {
    cards,
    env,
    startMs: START_MS,
  })
  const gateway = pid as number
  const startS = (cpuTime(gateway) ?? Number.NaN) / 1e6
  const startMb = await memoryOf(gateway)
  const calls = quick ? 500 : 2000
  // Different inputs, because identical reads that run at once share one request.
  const call = (card: number, n: number) =>
    post(port, `/v1/capabilities/${nameOf(card)}?route=rest`, { owner: 'octo-org', name: `r-${n}` })
  const search = (n: number) => get(port, `/v1/capabilities?q=repository+${n % 100}`)
  // The first calls compile what V8 and the cards compile at first use.
  const callMany = (n: number) => call((n * STRIDE) % count, n)
  await costOf(gateway, calls, callMany)
  const any = await costOf(gateway, calls, callMany)
  const one = await costOf(gateway, calls, n => call(0, n))
  const calledMb = await memoryOf(gateway)
  await costOf(gateway, 10, search)
  const searchMs = (await costOf(gateway, 20, search)) / 1000
  const metricsMs = (await costOf(gateway, 10, () => get(port, '/metrics'))) / 1000
  await processes.end(pid)
  return { startS, startMb, calledMb, one, any, searchMs, metricsMs }
}

function nameOf(n: number): string {
  return `bench.repository.r${n}`
}

/** Cards that differ in a member of their input, so that none shares its compiled schema with another. */
async function writeCards(directory: string, count: number): Promise<string> {
  const folder = join(directory, `cards-${count}`)
  await mkdir(folder)
  await cp(new URL('upstream.yaml', CARDS), join(folder, 'upstream.yaml'))
  const card = await readFile(new URL('bench.repository.yaml', CARDS), 'utf8')
  for (let n = 0; n < count; n++) {
    const text = card
      .replaceAll('bench.repository', nameOf(n))
      .replace(
        '  properties:\n',
        `  properties:\n    note${n}: { type: string, maxLength: ${n + 1} }\n`,
      )
    await writeFile(join(folder, `${nameOf(n)}.yaml`), text)
  }
  return folder
}
